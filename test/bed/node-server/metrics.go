package main

import (
	"fmt"
	"net/http"
	"time"
)

// What every container and node uses, all the time: the bed's pods do nothing. A little under 10 and 100 millicores,
// so that a rate with a rounding error is still shown as these.
const (
	containerCPU    = 0.0095
	containerMemory = 16 << 20
	nodeCPU         = 0.0995
	nodeMemory      = 256 << 20
)

// metrics answers what metrics-server asks a kubelet at /metrics/resource, for the node named in the path.
func (n *node) metrics(w http.ResponseWriter, r *http.Request) {
	pods, err := n.pods.onNode(r.Context(), r.PathValue("node"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	now := time.Now()
	stamp := now.UnixMilli()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	running := 0
	for _, pod := range pods {
		for _, container := range pod.Status.Containers {
			if container.State.Running == nil {
				continue
			}
			running++
			labels := fmt.Sprintf("{container=%q,namespace=%q,pod=%q}", container.Name, pod.Metadata.Namespace, pod.Metadata.Name)
			started := container.State.Running.StartedAt
			// never zero, which would mean unknown
			used := containerCPU * (now.Sub(started).Seconds() + 1)
			fmt.Fprintf(w, "container_cpu_usage_seconds_total%s %f %d\n", labels, used, stamp)
			fmt.Fprintf(w, "container_memory_working_set_bytes%s %d %d\n", labels, containerMemory, stamp)
			fmt.Fprintf(w, "container_start_time_seconds%s %d\n", labels, started.Unix())
		}
	}
	// as long as the node server runs: pods come and go, a counter only grows
	fmt.Fprintf(w, "node_cpu_usage_seconds_total %f %d\n", nodeCPU*(now.Sub(n.since).Seconds()+1), stamp)
	fmt.Fprintf(w, "node_memory_working_set_bytes %d %d\n", nodeMemory+running*containerMemory, stamp)
}
