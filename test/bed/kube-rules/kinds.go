package main

import (
	_ "time/tzdata" // time zones of CronJobs, as in kube-apiserver

	"k8s.io/apiserver/pkg/registry/rest"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
)

type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
	rest.RESTDeleteStrategy
}

// resource is how kube-apiserver stores a kind: the strategy of its objects, and of each subresource that can be updated.
type resource struct {
	name     string
	strategy strategy
	updates  map[string]rest.RESTUpdateStrategy
}

func withStatus(name string, strategy strategy, status rest.RESTUpdateStrategy) resource {
	return resource{name, strategy, map[string]rest.RESTUpdateStrategy{"status": status}}
}

// resources by group and kind: a kind has one strategy in all its versions.
var resources = map[string]resource{
	"ConfigMap":             {name: "configmaps", strategy: configmap.Strategy},
	"Endpoints":             {name: "endpoints", strategy: endpoint.Strategy},
	"LimitRange":            {name: "limitranges", strategy: limitrange.Strategy},
	"Namespace":             withStatus("namespaces", namespace.Strategy, namespace.StatusStrategy),
	"Node":                  withStatus("nodes", node.Strategy, node.StatusStrategy),
	"PersistentVolume":      withStatus("persistentvolumes", persistentvolume.Strategy, persistentvolume.StatusStrategy),
	"PersistentVolumeClaim": withStatus("persistentvolumeclaims", persistentvolumeclaim.Strategy, persistentvolumeclaim.StatusStrategy),
	"Pod": {"pods", pod.Strategy, map[string]rest.RESTUpdateStrategy{
		"status":              pod.StatusStrategy,
		"ephemeralcontainers": pod.EphemeralContainersStrategy,
		"resize":              pod.ResizeStrategy,
	}},
	"PodTemplate":           {name: "podtemplates", strategy: podtemplate.Strategy},
	"ReplicationController": withStatus("replicationcontrollers", replicationcontroller.Strategy, replicationcontroller.StatusStrategy),
	"ResourceQuota":         withStatus("resourcequotas", resourcequota.Strategy, resourcequota.StatusStrategy),
	"Secret":                {name: "secrets", strategy: secret.Strategy},
	"Service":               withStatus("services", service.Strategy, service.StatusStrategy),
	"ServiceAccount":        {name: "serviceaccounts", strategy: serviceaccount.Strategy},

	"ControllerRevision.apps": {name: "controllerrevisions", strategy: controllerrevision.Strategy},
	"DaemonSet.apps":          withStatus("daemonsets", daemonset.Strategy, daemonset.StatusStrategy),
	"Deployment.apps":         withStatus("deployments", deployment.Strategy, deployment.StatusStrategy),
	"ReplicaSet.apps":         withStatus("replicasets", replicaset.Strategy, replicaset.StatusStrategy),
	"StatefulSet.apps":        withStatus("statefulsets", statefulset.Strategy, statefulset.StatusStrategy),

	"HorizontalPodAutoscaler.autoscaling": withStatus("horizontalpodautoscalers", horizontalpodautoscaler.Strategy, horizontalpodautoscaler.StatusStrategy),
	"CronJob.batch":                       withStatus("cronjobs", cronjob.Strategy, cronjob.StatusStrategy),
	"Job.batch":                           withStatus("jobs", job.Strategy, job.StatusStrategy),
	"PodDisruptionBudget.policy":          withStatus("poddisruptionbudgets", poddisruptionbudget.Strategy, poddisruptionbudget.StatusStrategy),

	"EndpointSlice.discovery.k8s.io":  {name: "endpointslices", strategy: endpointslice.Strategy},
	"Ingress.networking.k8s.io":       withStatus("ingresses", ingress.Strategy, ingress.StatusStrategy),
	"IngressClass.networking.k8s.io":  {name: "ingressclasses", strategy: ingressclass.Strategy},
	"NetworkPolicy.networking.k8s.io": {name: "networkpolicies", strategy: networkpolicy.Strategy},
	"RuntimeClass.node.k8s.io":        {name: "runtimeclasses", strategy: runtimeclass.Strategy},
	"PriorityClass.scheduling.k8s.io": {name: "priorityclasses", strategy: priorityclass.Strategy},
	"StorageClass.storage.k8s.io":     {name: "storageclasses", strategy: storageclass.Strategy},
}
