// Made from Kubernetes' Go types by protobuf/schema.build.ts; the protobuf suite on the bed holds it to that.
export const protobufSchema = `runtime.Unknown 1m1:=TypeMeta 2y:-=Raw 3s:ContentEncoding 4s:ContentType
runtime.TypeMeta 1s?:apiVersion=APIVersion 2s?:kind
v1.APIGroup 1s:name 2[]m3:versions 3m3:preferredVersion 4[]m4?:serverAddressByClientCIDRs
v1.GroupVersionForDiscovery 1s:groupVersion 2s:version
v1.ServerAddressByClientCIDR 1s:clientCIDR 2s:serverAddress
v1.APIGroupList 1[]m2:groups
v1.APIResourceList 1s:groupVersion 2[]m7:resources=APIResources
v1.APIResource 1s:name 6s:singularName 2b:namespaced 8s?:group 9s?:version 3s:kind 4m8:verbs 5[]s?:shortNames 7[]s?:categories 10s?:storageVersionHash
v1.Verbs!list 1[]s:items
v1.APIVersions 1[]s:versions 2[]m4:serverAddressByClientCIDRs
v1.Binding 1m11:metadata=ObjectMeta 2m16:target
v1.ObjectMeta 1s?:name 2s?:generateName 3s?:namespace 4s?:selfLink 5s~types.UID?:uid=UID 6s?:resourceVersion 7l?:generation 8m12!:creationTimestamp 9*m12?:deletionTimestamp 10*l?:deletionGracePeriodSeconds 11{}s?:labels 12{}s?:annotations 13[]m13?:ownerReferences 14[]s?:finalizers 17[]m14?:managedFields
v1.Timestamp!time 1l:seconds 2i:nanos
v1.OwnerReference 5s:apiVersion=APIVersion 1s:kind 3s:name 4s~types.UID:uid=UID 6*b?:controller 7*b?:blockOwnerDeletion
v1.ManagedFieldsEntry 1s?:manager 2s~v1.ManagedFieldsOperationType?:operation 3s?:apiVersion=APIVersion 4*m12?:time 6s?:fieldsType 7*m15?:fieldsV1 8s?:subresource
v1.FieldsV1!raw 1y:raw
v1.ObjectReference 1s?:kind 2s?:namespace 3s?:name 4s~types.UID?:uid=UID 5s?:apiVersion=APIVersion 6s?:resourceVersion 7s?:fieldPath
v1.ComponentStatus 1m11:metadata=ObjectMeta 2[]m18?:conditions
v1.ComponentCondition 1s~v1.ComponentConditionType:type 2s~v1.ConditionStatus:status 3s?:message 4s?:error
v1.ComponentStatusList 1m20:metadata=ListMeta 2[]m17:items
v1.ListMeta 1s?:selfLink 2s?:resourceVersion 3s?:continue 4*l?:remainingItemCount 5*m21?:shardInfo
v1.ShardInfo 1s:selector
v1.ConfigMap 1m11:metadata=ObjectMeta 4*b?:immutable 2{}s?:data 3{}y?:binaryData
v1.ConfigMapList 1m20:metadata=ListMeta 2[]m22:items
v1.CreateOptions 1[]s?:dryRun 3s?:fieldManager 4s?:fieldValidation
v1.DeleteOptions 1*l?:gracePeriodSeconds 2*m26?:preconditions 3*b?:orphanDependents 4*s~v1.DeletionPropagation?:propagationPolicy 5[]s?:dryRun 6*b?:ignoreStoreReadErrorWithClusterBreakingPotential
v1.Preconditions 1*s~types.UID?:uid=UID 2*s?:resourceVersion
v1.Endpoints 1m11:metadata=ObjectMeta 2[]m28?:subsets
v1.EndpointSubset 1[]m29?:addresses 2[]m29?:notReadyAddresses 3[]m30?:ports
v1.EndpointAddress 1s:ip=IP 3s?:hostname 4*s?:nodeName 2*m16?:targetRef
v1.EndpointPort 1s?:name 2i:port 3s~v1.Protocol?:protocol 4*s?:appProtocol
v1.EndpointsList 1m20:metadata=ListMeta 2[]m27:items
v1.Event 1m11:metadata=ObjectMeta 2m16:involvedObject 3s?:reason 4s?:message 5m33:source 6m12:firstTimestamp 7m12:lastTimestamp 8i?:count 9s?:type 10m34:eventTime 11*m35?:series 12s?:action 13*m16?:related 14s:reportingComponent=ReportingController 15s:reportingInstance
v1.EventSource 1s?:component 2s?:host
v1.Timestamp!microTime 1l:seconds 2i:nanos
v1.EventSeries 1i?:count 2m34:lastObservedTime
v1.EventList 1m20:metadata=ListMeta 2[]m32:items
v1.GetOptions 1s?:resourceVersion
v1.LimitRange 1m11:metadata=ObjectMeta 2m39:spec
v1.LimitRangeSpec 1[]m40:limits
v1.LimitRangeItem 1s~v1.LimitType:type 2{}m41~v1.ResourceList?:max 3{}m41~v1.ResourceList?:min 4{}m41~v1.ResourceList?:default 5{}m41~v1.ResourceList?:defaultRequest 6{}m41~v1.ResourceList?:maxLimitRequestRatio
resource.Quantity!quantity 1s:string=String_
v1.LimitRangeList 1m20:metadata=ListMeta 2[]m38:items
v1.List 1m20:metadata=ListMeta 2[]m44:items
runtime.RawExtension!rawExtension 1y:raw
v1.ListOptions 1s?:labelSelector 2s?:fieldSelector 3b?:watch 9b?:allowWatchBookmarks 4s?:resourceVersion 10s~v1.ResourceVersionMatch?:resourceVersionMatch 5*l?:timeoutSeconds 7l?:limit 8s?:continue 11*b?:sendInitialEvents 15s?:shardSelector
v1.Namespace 1m11:metadata=ObjectMeta 2m47:spec 3m48:status
v1.NamespaceSpec 1[]s~[]v1.FinalizerName?:finalizers
v1.NamespaceStatus 1s~v1.NamespacePhase?:phase 2[]m49?:conditions
v1.NamespaceCondition 1s~v1.NamespaceConditionType:type 2s~v1.ConditionStatus:status 4m12:lastTransitionTime 5s?:reason 6s?:message
v1.NamespaceList 1m20:metadata=ListMeta 2[]m46:items
v1.Node 1m11:metadata=ObjectMeta 2m52:spec 3m56:status
v1.NodeSpec 1s?:podCIDR 7[]s?:podCIDRs 3s?:providerID 4b?:unschedulable 5[]m53?:taints 6*m54?:configSource 2s?:externalID=DoNotUseExternalID
v1.Taint 1s:key 2s?:value 3s~v1.TaintEffect:effect 4*m12?:timeAdded
v1.NodeConfigSource 2*m55?:configMap
v1.ConfigMapNodeConfigSource 1s:namespace 2s:name 3s~types.UID?:uid=UID 4s?:resourceVersion 5s:kubeletConfigKey
v1.NodeStatus 1{}m41~v1.ResourceList?:capacity 2{}m41~v1.ResourceList?:allocatable 3s~v1.NodePhase?:phase 4[]m57?:conditions 5[]m58?:addresses 6m59:daemonEndpoints 7m61:nodeInfo 8[]m63?:images 9[]s~[]v1.UniqueVolumeName?:volumesInUse 10[]m64?:volumesAttached 11*m65?:config 12[]m66?:runtimeHandlers 13*m68?:features 14[]s?:declaredFeatures
v1.NodeCondition 1s~v1.NodeConditionType:type 2s~v1.ConditionStatus:status 3m12:lastHeartbeatTime 4m12:lastTransitionTime 5s?:reason 6s?:message
v1.NodeAddress 1s~v1.NodeAddressType:type 2s:address
v1.NodeDaemonEndpoints 1m60:kubeletEndpoint
v1.DaemonEndpoint 1i:Port
v1.NodeSystemInfo 1s:machineID 2s:systemUUID 3s:bootID 4s:kernelVersion 5s:osImage=OSImage 6s:containerRuntimeVersion 7s:kubeletVersion 8s:kubeProxyVersion 9s:operatingSystem 10s:architecture 11*m62?:swap
v1.NodeSwapStatus 1*l?:capacity
v1.ContainerImage 1[]s:names 2l?:sizeBytes
v1.AttachedVolume 1s~v1.UniqueVolumeName:name 2s:devicePath
v1.NodeConfigStatus 1*m54?:assigned 2*m54?:active 3*m54?:lastKnownGood 4s?:error
v1.NodeRuntimeHandler 1s:name 2*m67?:features
v1.NodeRuntimeHandlerFeatures 1*b?:recursiveReadOnlyMounts 2*b?:userNamespaces
v1.NodeFeatures 1*b?:supplementalGroupsPolicy
v1.NodeList 1m20:metadata=ListMeta 2[]m51:items
v1.NodeProxyOptions 1s?:path
v1.PatchOptions 1[]s?:dryRun 2*b?:force 3s?:fieldManager 4s?:fieldValidation
v1.PersistentVolume 1m11:metadata=ObjectMeta 2m73:spec 3m102:status
v1.PersistentVolumeSpec 1{}m41~v1.ResourceList?:capacity 2m74:=PersistentVolumeSource 3[]s~[]v1.PersistentVolumeAccessMode?:accessModes 4*m16?:claimRef 5s~v1.PersistentVolumeReclaimPolicy?:persistentVolumeReclaimPolicy 6s?:storageClassName 7[]s?:mountOptions 8*s~v1.PersistentVolumeMode?:volumeMode 9*m98?:nodeAffinity 10*s?:volumeAttributesClassName
v1.PersistentVolumeSource 1*m75?:gcePersistentDisk=GCEPersistentDisk 2*m76?:awsElasticBlockStore=AWSElasticBlockStore 3*m77?:hostPath 4*m78?:glusterfs 5*m79?:nfs=NFS 6*m80?:rbd=RBD 7*m82?:iscsi=ISCSI 8*m83?:cinder 9*m84?:cephfs=CephFS 10*m85?:fc=FC 11*m86?:flocker 12*m87?:flexVolume 13*m88?:azureFile 14*m89?:vsphereVolume 15*m90?:quobyte 16*m91?:azureDisk 17*m92?:photonPersistentDisk 18*m93?:portworxVolume 19*m94?:scaleIO 20*m95?:local 21*m96?:storageos=StorageOS 22*m97?:csi=CSI
v1.GCEPersistentDiskVolumeSource 1s:pdName=PDName 2s?:fsType=FSType 3i?:partition 4b?:readOnly
v1.AWSElasticBlockStoreVolumeSource 1s:volumeID 2s?:fsType=FSType 3i?:partition 4b?:readOnly
v1.HostPathVolumeSource 1s:path 2*s~v1.HostPathType?:type
v1.GlusterfsPersistentVolumeSource 1s:endpoints=EndpointsName 2s:path 3b?:readOnly 4*s?:endpointsNamespace
v1.NFSVolumeSource 1s:server 2s:path 3b?:readOnly
v1.RBDPersistentVolumeSource 1[]s:monitors=CephMonitors 2s:image=RBDImage 3s?:fsType=FSType 4s?:pool=RBDPool 5s?:user=RadosUser 6s?:keyring 7*m81?:secretRef 8b?:readOnly
v1.SecretReference 1s?:name 2s?:namespace
v1.ISCSIPersistentVolumeSource 1s:targetPortal 2s:iqn=IQN 3i:lun 4s?:iscsiInterface=ISCSIInterface 5s?:fsType=FSType 6b?:readOnly 7[]s?:portals 8b?:chapAuthDiscovery=DiscoveryCHAPAuth 11b?:chapAuthSession=SessionCHAPAuth 10*m81?:secretRef 12*s?:initiatorName
v1.CinderPersistentVolumeSource 1s:volumeID 2s?:fsType=FSType 3b?:readOnly 4*m81?:secretRef
v1.CephFSPersistentVolumeSource 1[]s:monitors 2s?:path 3s?:user 4s?:secretFile 5*m81?:secretRef 6b?:readOnly
v1.FCVolumeSource 1[]s?:targetWWNs 2*i?:lun 3s?:fsType=FSType 4b?:readOnly 5[]s?:wwids=WWIDs
v1.FlockerVolumeSource 1s?:datasetName 2s?:datasetUUID
v1.FlexPersistentVolumeSource 1s:driver 2s?:fsType=FSType 3*m81?:secretRef 4b?:readOnly 5{}s?:options
v1.AzureFilePersistentVolumeSource 1s:secretName 2s:shareName 3b?:readOnly 4*s:secretNamespace
v1.VsphereVirtualDiskVolumeSource 1s:volumePath 2s?:fsType=FSType 3s?:storagePolicyName 4s?:storagePolicyID
v1.QuobyteVolumeSource 1s:registry 2s:volume 3b?:readOnly 4s?:user 5s?:group 6s?:tenant
v1.AzureDiskVolumeSource 1s:diskName 2s:diskURI=DataDiskURI 3*s~v1.AzureDataDiskCachingMode?:cachingMode 4*s?:fsType=FSType 5*b?:readOnly 6*s~v1.AzureDataDiskKind?:kind
v1.PhotonPersistentDiskVolumeSource 1s:pdID 2s?:fsType=FSType
v1.PortworxVolumeSource 1s:volumeID 2s?:fsType=FSType 3b?:readOnly
v1.ScaleIOPersistentVolumeSource 1s:gateway 2s:system 3*m81:secretRef 4b?:sslEnabled=SSLEnabled 5s?:protectionDomain 6s?:storagePool 7s?:storageMode 8s?:volumeName 9s?:fsType=FSType 10b?:readOnly
v1.LocalVolumeSource 1s:path 2*s?:fsType=FSType
v1.StorageOSPersistentVolumeSource 1s?:volumeName 2s?:volumeNamespace 3s?:fsType=FSType 4b?:readOnly 5*m16?:secretRef
v1.CSIPersistentVolumeSource 1s:driver 2s:volumeHandle 3b?:readOnly 4s?:fsType=FSType 5{}s?:volumeAttributes 6*m81?:controllerPublishSecretRef 7*m81?:nodeStageSecretRef 8*m81?:nodePublishSecretRef 9*m81?:controllerExpandSecretRef 10*m81?:nodeExpandSecretRef
v1.VolumeNodeAffinity 1*m99?:required
v1.NodeSelector 1[]m100:nodeSelectorTerms
v1.NodeSelectorTerm 1[]m101?:matchExpressions 2[]m101?:matchFields
v1.NodeSelectorRequirement 1s:key 2s~v1.NodeSelectorOperator:operator 3[]s?:values
v1.PersistentVolumeStatus 1s~v1.PersistentVolumePhase?:phase 2s?:message 3s?:reason 4*m12?:lastPhaseTransitionTime
v1.PersistentVolumeClaim 1m11:metadata=ObjectMeta 2m104:spec 3m110:status
v1.PersistentVolumeClaimSpec 1[]s~[]v1.PersistentVolumeAccessMode?:accessModes 4*m105?:selector 2m107:resources 3s?:volumeName 5*s?:storageClassName 6*s~v1.PersistentVolumeMode?:volumeMode 7*m108?:dataSource 8*m109?:dataSourceRef 9*s?:volumeAttributesClassName
v1.LabelSelector 1{}s?:matchLabels 2[]m106?:matchExpressions
v1.LabelSelectorRequirement 1s:key 2s~v1.LabelSelectorOperator:operator 3[]s?:values
v1.VolumeResourceRequirements 1{}m41~v1.ResourceList?:limits 2{}m41~v1.ResourceList?:requests
v1.TypedLocalObjectReference 1*s:apiGroup=APIGroup 2s:kind 3s:name
v1.TypedObjectReference 1*s:apiGroup=APIGroup 2s:kind 3s:name 4*s?:namespace
v1.PersistentVolumeClaimStatus 1s~v1.PersistentVolumeClaimPhase?:phase 2[]s~[]v1.PersistentVolumeAccessMode?:accessModes 3{}m41~v1.ResourceList?:capacity 4[]m111?:conditions 5{}m41~v1.ResourceList?:allocatedResources 7{}s~map[v1.ResourceName]v1.ClaimResourceStatus?:allocatedResourceStatuses 8*s?:currentVolumeAttributesClassName 9*m112?:modifyVolumeStatus
v1.PersistentVolumeClaimCondition 1s~v1.PersistentVolumeClaimConditionType:type 2s~v1.ConditionStatus:status 3m12:lastProbeTime 4m12:lastTransitionTime 5s?:reason 6s?:message
v1.ModifyVolumeStatus 1s?:targetVolumeAttributesClassName 2s~v1.PersistentVolumeClaimModifyVolumeStatus:status
v1.PersistentVolumeClaimList 1m20:metadata=ListMeta 2[]m103:items
v1.PersistentVolumeList 1m20:metadata=ListMeta 2[]m72:items
v1.Pod 1m11:metadata=ObjectMeta 2m116:spec 3m206:status
v1.PodSpec 1[]m117?:volumes 20[]m151?:initContainers 2[]m151:containers 34[]m185?:ephemeralContainers 3s~v1.RestartPolicy?:restartPolicy 4*l?:terminationGracePeriodSeconds 5*l?:activeDeadlineSeconds 6s~v1.DNSPolicy?:dnsPolicy=DNSPolicy 7{}s?:nodeSelector 8s?:serviceAccountName 9s?:serviceAccount=DeprecatedServiceAccount 21*b?:automountServiceAccountToken 10s?:nodeName 11b?:hostNetwork 12b?:hostPID 13b?:hostIPC 27*b?:shareProcessNamespace 14*m187?:securityContext 15[]m124?:imagePullSecrets 16s?:hostname 17s?:subdomain 18*m189?:affinity 19s?:schedulerName 22[]m196?:tolerations 23[]m197?:hostAliases 24s?:priorityClassName 25*i?:priority 26*m198?:dnsConfig=DNSConfig 28[]m200?:readinessGates 29*s?:runtimeClassName 30*b?:enableServiceLinks 31*s~v1.PreemptionPolicy?:preemptionPolicy 32{}m41~v1.ResourceList?:overhead 33[]m201?:topologySpreadConstraints 35*b?:setHostnameAsFQDN 36*m202?:os=OS 37*b?:hostUsers 38[]m203?:schedulingGates 39[]m204?:resourceClaims 40*m161?:resources 41*s?:hostnameOverride 43*m205?:schedulingGroup
v1.Volume 1s:name 2m118:=VolumeSource
v1.VolumeSource 1*m77?:hostPath 2*m119?:emptyDir 3*m75?:gcePersistentDisk=GCEPersistentDisk 4*m76?:awsElasticBlockStore=AWSElasticBlockStore 5*m120?:gitRepo 6*m121?:secret 7*m79?:nfs=NFS 8*m123?:iscsi=ISCSI 9*m125?:glusterfs 10*m126?:persistentVolumeClaim 11*m127?:rbd=RBD 12*m128?:flexVolume 13*m129?:cinder 14*m130?:cephfs=CephFS 15*m86?:flocker 16*m131?:downwardAPI 17*m85?:fc=FC 18*m135?:azureFile 19*m136?:configMap 20*m89?:vsphereVolume 21*m90?:quobyte 22*m91?:azureDisk 23*m92?:photonPersistentDisk 26*m137?:projected 24*m93?:portworxVolume 25*m145?:scaleIO 27*m146?:storageos=StorageOS 28*m147?:csi=CSI 29*m148?:ephemeral 30*m150?:image
v1.EmptyDirVolumeSource 1s~v1.StorageMedium?:medium 2*m41?:sizeLimit
v1.GitRepoVolumeSource 1s:repository 2s?:revision 3s?:directory
v1.SecretVolumeSource 1s?:secretName 2[]m122?:items 3*i?:defaultMode 4*b?:optional
v1.KeyToPath 1s:key 2s:path 3*i?:mode
v1.ISCSIVolumeSource 1s:targetPortal 2s:iqn=IQN 3i:lun 4s?:iscsiInterface=ISCSIInterface 5s?:fsType=FSType 6b?:readOnly 7[]s?:portals 8b?:chapAuthDiscovery=DiscoveryCHAPAuth 11b?:chapAuthSession=SessionCHAPAuth 10*m124?:secretRef 12*s?:initiatorName
v1.LocalObjectReference 1s?:name
v1.GlusterfsVolumeSource 1s:endpoints=EndpointsName 2s:path 3b?:readOnly
v1.PersistentVolumeClaimVolumeSource 1s:claimName 2b?:readOnly
v1.RBDVolumeSource 1[]s:monitors=CephMonitors 2s:image=RBDImage 3s?:fsType=FSType 4s?:pool=RBDPool 5s?:user=RadosUser 6s?:keyring 7*m124?:secretRef 8b?:readOnly
v1.FlexVolumeSource 1s:driver 2s?:fsType=FSType 3*m124?:secretRef 4b?:readOnly 5{}s?:options
v1.CinderVolumeSource 1s:volumeID 2s?:fsType=FSType 3b?:readOnly 4*m124?:secretRef
v1.CephFSVolumeSource 1[]s:monitors 2s?:path 3s?:user 4s?:secretFile 5*m124?:secretRef 6b?:readOnly
v1.DownwardAPIVolumeSource 1[]m132?:items 2*i?:defaultMode
v1.DownwardAPIVolumeFile 1s:path 2*m133?:fieldRef 3*m134?:resourceFieldRef 4*i?:mode
v1.ObjectFieldSelector 1s?:apiVersion=APIVersion 2s:fieldPath
v1.ResourceFieldSelector 1s?:containerName 2s:resource 3m41:divisor
v1.AzureFileVolumeSource 1s:secretName 2s:shareName 3b?:readOnly
v1.ConfigMapVolumeSource 1m124:=LocalObjectReference 2[]m122?:items 3*i?:defaultMode 4*b?:optional
v1.ProjectedVolumeSource 1[]m138:sources 2*i?:defaultMode
v1.VolumeProjection 1*m139?:secret 2*m140?:downwardAPI 3*m141?:configMap 4*m142?:serviceAccountToken 5*m143?:clusterTrustBundle 6*m144?:podCertificate
v1.SecretProjection 1m124:=LocalObjectReference 2[]m122?:items 4*b?:optional
v1.DownwardAPIProjection 1[]m132?:items
v1.ConfigMapProjection 1m124:=LocalObjectReference 2[]m122?:items 4*b?:optional
v1.ServiceAccountTokenProjection 1s?:audience 2*l?:expirationSeconds 3s:path
v1.ClusterTrustBundleProjection 1*s?:name 2*s?:signerName 3*m105?:labelSelector 5*b?:optional 4s:path
v1.PodCertificateProjection 1s?:signerName 2s?:keyType 3*i?:maxExpirationSeconds 4s?:credentialBundlePath 5s?:keyPath 6s?:certificateChainPath 7{}s?:userAnnotations
v1.ScaleIOVolumeSource 1s:gateway 2s:system 3*m124:secretRef 4b?:sslEnabled=SSLEnabled 5s?:protectionDomain 6s?:storagePool 7s?:storageMode 8s?:volumeName 9s?:fsType=FSType 10b?:readOnly
v1.StorageOSVolumeSource 1s?:volumeName 2s?:volumeNamespace 3s?:fsType=FSType 4b?:readOnly 5*m124?:secretRef
v1.CSIVolumeSource 1s:driver 2*b?:readOnly 3*s?:fsType=FSType 4{}s?:volumeAttributes 5*m124?:nodePublishSecretRef
v1.EphemeralVolumeSource 1*m149?:volumeClaimTemplate
v1.PersistentVolumeClaimTemplate 1m11:metadata=ObjectMeta 2m104:spec
v1.ImageVolumeSource 1s?:reference 2s~v1.PullPolicy?:pullPolicy
v1.Container 1s:name 2s?:image 3[]s?:command 4[]s?:args 5s?:workingDir 6[]m152?:ports 19[]m153?:envFrom 7[]m156?:env 8m161:resources 23[]m163?:resizePolicy 24*s~v1.ContainerRestartPolicy?:restartPolicy 25[]m164?:restartPolicyRules 9[]m166?:volumeMounts 21[]m167?:volumeDevices 10*m168?:livenessProbe 11*m168?:readinessProbe 22*m168?:startupProbe 12*m176?:lifecycle 13s?:terminationMessagePath 20s~v1.TerminationMessagePolicy?:terminationMessagePolicy 14s~v1.PullPolicy?:imagePullPolicy 15*m179?:securityContext 16b?:stdin 17b?:stdinOnce 18b?:tty=TTY
v1.ContainerPort 1s?:name 2i?:hostPort 3i:containerPort 4s~v1.Protocol?:protocol 5s?:hostIP
v1.EnvFromSource 1s?:prefix 2*m154?:configMapRef 3*m155?:secretRef
v1.ConfigMapEnvSource 1m124:=LocalObjectReference 2*b?:optional
v1.SecretEnvSource 1m124:=LocalObjectReference 2*b?:optional
v1.EnvVar 1s:name 2s?:value 3*m157?:valueFrom
v1.EnvVarSource 1*m133?:fieldRef 2*m134?:resourceFieldRef 3*m158?:configMapKeyRef 4*m159?:secretKeyRef 5*m160?:fileKeyRef
v1.ConfigMapKeySelector 1m124:=LocalObjectReference 2s:key 3*b?:optional
v1.SecretKeySelector 1m124:=LocalObjectReference 2s:key 3*b?:optional
v1.FileKeySelector 1s:volumeName 2s:path 3s:key 4*b?:optional
v1.ResourceRequirements 1{}m41~v1.ResourceList?:limits 2{}m41~v1.ResourceList?:requests 3[]m162?:claims
v1.ResourceClaim 1s:name 2s?:request
v1.ContainerResizePolicy 1s~v1.ResourceName:resourceName 2s~v1.ResourceResizeRestartPolicy:restartPolicy
v1.ContainerRestartRule 1s~v1.ContainerRestartRuleAction?:action 2*m165?:exitCodes
v1.ContainerRestartRuleOnExitCodes 1s~v1.ContainerRestartRuleOnExitCodesOperator?:operator 2[]i?:values
v1.VolumeMount 1s:name 2b?:readOnly 7*s~v1.RecursiveReadOnlyMode?:recursiveReadOnly 3s:mountPath 4s?:subPath 5*s~v1.MountPropagationMode?:mountPropagation 6s?:subPathExpr
v1.VolumeDevice 1s:name 2s:devicePath
v1.Probe 1m169:=ProbeHandler 2i?:initialDelaySeconds 3i?:timeoutSeconds 4i?:periodSeconds 5i?:successThreshold 6i?:failureThreshold 7*l?:terminationGracePeriodSeconds
v1.ProbeHandler 1*m170?:exec 2*m171?:httpGet=HTTPGet 3*m174?:tcpSocket=TCPSocket 4*m175?:grpc=GRPC
v1.ExecAction 1[]s?:command
v1.HTTPGetAction 1s?:path 2m172:port 3s?:host 4s~v1.URIScheme?:scheme 5[]m173?:httpHeaders=HTTPHeaders
intstr.IntOrString!intOrString 1l:type 2i:intVal 3s:strVal
v1.HTTPHeader 1s:name 2s:value
v1.TCPSocketAction 1m172:port 2s?:host
v1.GRPCAction 1i:port 2*s:service
v1.Lifecycle 1*m177?:postStart 2*m177?:preStop 3*s~v1.Signal?:stopSignal
v1.LifecycleHandler 1*m170?:exec 2*m171?:httpGet=HTTPGet 3*m174?:tcpSocket=TCPSocket 4*m178?:sleep
v1.SleepAction 1l:seconds
v1.SecurityContext 1*m180?:capabilities 2*b?:privileged 3*m181?:seLinuxOptions=SELinuxOptions 10*m182?:windowsOptions 4*l?:runAsUser 8*l?:runAsGroup 5*b?:runAsNonRoot 6*b?:readOnlyRootFilesystem 7*b?:allowPrivilegeEscalation 9*s~v1.ProcMountType?:procMount 11*m183?:seccompProfile 12*m184?:appArmorProfile
v1.Capabilities 1[]s~[]v1.Capability?:add 2[]s~[]v1.Capability?:drop
v1.SELinuxOptions 1s?:user 2s?:role 3s?:type 4s?:level
v1.WindowsSecurityContextOptions 1*s?:gmsaCredentialSpecName=GMSACredentialSpecName 2*s?:gmsaCredentialSpec=GMSACredentialSpec 3*s?:runAsUserName 4*b?:hostProcess
v1.SeccompProfile 1s~v1.SeccompProfileType:type 2*s?:localhostProfile
v1.AppArmorProfile 1s~v1.AppArmorProfileType:type 2*s?:localhostProfile
v1.EphemeralContainer 1m186:=EphemeralContainerCommon 2s?:targetContainerName
v1.EphemeralContainerCommon 1s:name 2s?:image 3[]s?:command 4[]s?:args 5s?:workingDir 6[]m152?:ports 19[]m153?:envFrom 7[]m156?:env 8m161:resources 23[]m163?:resizePolicy 24*s~v1.ContainerRestartPolicy?:restartPolicy 25[]m164?:restartPolicyRules 9[]m166?:volumeMounts 21[]m167?:volumeDevices 10*m168?:livenessProbe 11*m168?:readinessProbe 22*m168?:startupProbe 12*m176?:lifecycle 13s?:terminationMessagePath 20s~v1.TerminationMessagePolicy?:terminationMessagePolicy 14s~v1.PullPolicy?:imagePullPolicy 15*m179?:securityContext 16b?:stdin 17b?:stdinOnce 18b?:tty=TTY
v1.PodSecurityContext 1*m181?:seLinuxOptions=SELinuxOptions 8*m182?:windowsOptions 2*l?:runAsUser 6*l?:runAsGroup 3*b?:runAsNonRoot 4[]l?:supplementalGroups 12*s~v1.SupplementalGroupsPolicy?:supplementalGroupsPolicy 5*l?:fsGroup=FSGroup 7[]m188?:sysctls 9*s~v1.PodFSGroupChangePolicy?:fsGroupChangePolicy=FSGroupChangePolicy 10*m183?:seccompProfile 11*m184?:appArmorProfile 13*s~v1.PodSELinuxChangePolicy?:seLinuxChangePolicy=SELinuxChangePolicy
v1.Sysctl 1s:name 2s:value
v1.Affinity 1*m190?:nodeAffinity 2*m192?:podAffinity 3*m195?:podAntiAffinity
v1.NodeAffinity 1*m99?:requiredDuringSchedulingIgnoredDuringExecution 2[]m191?:preferredDuringSchedulingIgnoredDuringExecution
v1.PreferredSchedulingTerm 1i:weight 2m100:preference
v1.PodAffinity 1[]m193?:requiredDuringSchedulingIgnoredDuringExecution 2[]m194?:preferredDuringSchedulingIgnoredDuringExecution
v1.PodAffinityTerm 1*m105?:labelSelector 2[]s?:namespaces 3s:topologyKey 4*m105?:namespaceSelector 5[]s?:matchLabelKeys 6[]s?:mismatchLabelKeys
v1.WeightedPodAffinityTerm 1i:weight 2m193:podAffinityTerm
v1.PodAntiAffinity 1[]m193?:requiredDuringSchedulingIgnoredDuringExecution 2[]m194?:preferredDuringSchedulingIgnoredDuringExecution
v1.Toleration 1s?:key 2s~v1.TolerationOperator?:operator 3s?:value 4s~v1.TaintEffect?:effect 5*l?:tolerationSeconds
v1.HostAlias 1s:ip=IP 2[]s?:hostnames
v1.PodDNSConfig 1[]s?:nameservers 2[]s?:searches 3[]m199?:options
v1.PodDNSConfigOption 1s?:name 2*s?:value
v1.PodReadinessGate 1s~v1.PodConditionType:conditionType
v1.TopologySpreadConstraint 1i:maxSkew 2s:topologyKey 3s~v1.UnsatisfiableConstraintAction:whenUnsatisfiable 4*m105?:labelSelector 5*i?:minDomains 6*s~v1.NodeInclusionPolicy?:nodeAffinityPolicy 7*s~v1.NodeInclusionPolicy?:nodeTaintsPolicy 8[]s?:matchLabelKeys
v1.PodOS 1s~v1.OSName:name
v1.PodSchedulingGate 1s:name
v1.PodResourceClaim 1s:name 3*s?:resourceClaimName 4*s?:resourceClaimTemplateName
v1.PodSchedulingGroup 1*s?:podGroupName
v1.PodStatus 17l?:observedGeneration 1s~v1.PodPhase?:phase 2[]m207?:conditions 3s?:message 4s?:reason 11s?:nominatedNodeName 5s?:hostIP 16[]m208?:hostIPs 6s?:podIP 12[]m209?:podIPs 7*m12?:startTime 10[]m210?:initContainerStatuses 8[]m210?:containerStatuses 9s~v1.PodQOSClass?:qosClass=QOSClass 13[]m210?:ephemeralContainerStatuses 14s~v1.PodResizeStatus?:resize 15[]m222?:resourceClaimStatuses 18*m223?:extendedResourceClaimStatus 19{}m41~v1.ResourceList?:allocatedResources 20*m161?:resources 21[]m225?:nodeAllocatableResourceClaimStatuses
v1.PodCondition 1s~v1.PodConditionType:type 7l?:observedGeneration 2s~v1.ConditionStatus:status 3m12:lastProbeTime 4m12:lastTransitionTime 5s?:reason 6s?:message
v1.HostIP 1s:ip=IP
v1.PodIP 1s:ip=IP
v1.ContainerStatus 1s:name 2m211:state 3m211:lastState=LastTerminationState 4b:ready 5i:restartCount 6s:image 7s:imageID 8s?:containerID 9*b?:started 10{}m41~v1.ResourceList?:allocatedResources 11*m161?:resources 12[]m215?:volumeMounts 13*m218?:user 14[]m220?:allocatedResourcesStatus 15*s~v1.Signal?:stopSignal
v1.ContainerState 1*m212?:waiting 2*m213?:running 3*m214?:terminated
v1.ContainerStateWaiting 1s?:reason 2s?:message
v1.ContainerStateRunning 1m12:startedAt
v1.ContainerStateTerminated 1i:exitCode 2i?:signal 3s?:reason 4s?:message 5m12:startedAt 6m12:finishedAt 7s?:containerID
v1.VolumeMountStatus 1s:name 2s:mountPath 3b?:readOnly 4*s~v1.RecursiveReadOnlyMode?:recursiveReadOnly 5*m216?:volumeStatus
v1.VolumeStatus 1*m217?:image
v1.ImageVolumeStatus 1s?:imageRef
v1.ContainerUser 1*m219?:linux
v1.LinuxContainerUser 1l:uid=UID 2l:gid=GID 3[]l?:supplementalGroups
v1.ResourceStatus 1s~v1.ResourceName:name 2[]m221?:resources
v1.ResourceHealth 1s~v1.ResourceID:resourceID 2s~v1.ResourceHealthStatus?:health 6*s?:message
v1.PodResourceClaimStatus 1s:name 2*s?:resourceClaimName
v1.PodExtendedResourceClaimStatus 1[]m224:requestMappings 2s:resourceClaimName
v1.ContainerExtendedResourceRequest 1s:containerName 2s:resourceName 3s:requestName
v1.NodeAllocatableResourceClaimStatus 1s:resourceClaimName 2[]s?:containers 3{}m41~map[v1.ResourceName]resource.Quantity:resources
v1.PodAttachOptions 1b?:stdin 2b?:stdout 3b?:stderr 4b?:tty=TTY 5s?:container
v1.PodExecOptions 1b?:stdin 2b?:stdout 3b?:stderr 4b?:tty=TTY 5s?:container 6[]s:command
v1.PodList 1m20:metadata=ListMeta 2[]m115:items
v1.PodLogOptions 1s?:container 2b?:follow 3b?:previous 4*l?:sinceSeconds 5*m12?:sinceTime 6b?:timestamps 7*l?:tailLines 8*l?:limitBytes 9b?:insecureSkipTLSVerifyBackend 10*s?:stream
v1.PodPortForwardOptions 1[]i?:ports
v1.PodProxyOptions 1s?:path
v1.PodStatusResult 1m11:metadata=ObjectMeta 2m206:status
v1.PodTemplate 1m11:metadata=ObjectMeta 2m234:template
v1.PodTemplateSpec 1m11:metadata=ObjectMeta 2m116:spec
v1.PodTemplateList 1m20:metadata=ListMeta 2[]m233:items
v1.RangeAllocation 1m11:metadata=ObjectMeta 2s:range 3y:data
v1.ReplicationController 1m11:metadata=ObjectMeta 2m238:spec 3m239:status
v1.ReplicationControllerSpec 1*i?:replicas 4i?:minReadySeconds 2{}s?:selector 3*m234?:template
v1.ReplicationControllerStatus 1i:replicas 2i?:fullyLabeledReplicas 4i?:readyReplicas 5i?:availableReplicas 3l?:observedGeneration 6[]m240?:conditions
v1.ReplicationControllerCondition 1s~v1.ReplicationControllerConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1.ReplicationControllerList 1m20:metadata=ListMeta 2[]m237:items
v1.ResourceQuota 1m11:metadata=ObjectMeta 2m243:spec 3m246:status
v1.ResourceQuotaSpec 1{}m41~v1.ResourceList?:hard 2[]s~[]v1.ResourceQuotaScope?:scopes 3*m244?:scopeSelector
v1.ScopeSelector 1[]m245?:matchExpressions
v1.ScopedResourceSelectorRequirement 1s~v1.ResourceQuotaScope:scopeName 2s~v1.ScopeSelectorOperator:operator 3[]s?:values
v1.ResourceQuotaStatus 1{}m41~v1.ResourceList?:hard 2{}m41~v1.ResourceList?:used
v1.ResourceQuotaList 1m20:metadata=ListMeta 2[]m242:items
v1.Secret 1m11:metadata=ObjectMeta 5*b?:immutable 2{}y?:data 4{}s?:stringData 3s~v1.SecretType?:type
v1.SecretList 1m20:metadata=ListMeta 2[]m248:items
v1.SerializedReference 1m16:reference
v1.Service 1m11:metadata=ObjectMeta 2m252:spec 3m256:status
v1.ServiceSpec 1[]m253?:ports 2{}s?:selector 3s?:clusterIP 18[]s?:clusterIPs 4s~v1.ServiceType?:type 5[]s?:externalIPs 7s~v1.ServiceAffinity?:sessionAffinity 8s?:loadBalancerIP 9[]s?:loadBalancerSourceRanges 10s?:externalName 11s~v1.ServiceExternalTrafficPolicy?:externalTrafficPolicy 12i?:healthCheckNodePort 13b?:publishNotReadyAddresses 14*m254?:sessionAffinityConfig 19[]s~[]v1.IPFamily?:ipFamilies=IPFamilies 17*s~v1.IPFamilyPolicy?:ipFamilyPolicy=IPFamilyPolicy 20*b?:allocateLoadBalancerNodePorts 21*s?:loadBalancerClass 22*s~v1.ServiceInternalTrafficPolicy?:internalTrafficPolicy 23*s?:trafficDistribution
v1.ServicePort 1s?:name 2s~v1.Protocol?:protocol 6*s?:appProtocol 3i:port 4m172:targetPort 5i?:nodePort
v1.SessionAffinityConfig 1*m255?:clientIP
v1.ClientIPConfig 1*i?:timeoutSeconds
v1.ServiceStatus 1m257:loadBalancer 2[]m260?:conditions
v1.LoadBalancerStatus 1[]m258?:ingress
v1.LoadBalancerIngress 1s?:ip=IP 2s?:hostname 3*s~v1.LoadBalancerIPMode?:ipMode=IPMode 4[]m259?:ports
v1.PortStatus 1i:port 2s~v1.Protocol:protocol 3*s?:error
v1.Condition 1s:type 2s~v1.ConditionStatus:status 3l?:observedGeneration 4m12:lastTransitionTime 5s:reason 6s:message
v1.ServiceAccount 1m11:metadata=ObjectMeta 2[]m16?:secrets 3[]m124?:imagePullSecrets 4*b?:automountServiceAccountToken
v1.ServiceAccountList 1m20:metadata=ListMeta 2[]m261:items
v1.ServiceList 1m20:metadata=ListMeta 2[]m251:items
v1.ServiceProxyOptions 1s?:path
v1.Status 1m20:metadata=ListMeta 2s?:status 3s?:message 4s~v1.StatusReason?:reason 5*m266?:details 6i?:code
v1.StatusDetails 1s?:name 2s?:group 3s?:kind 6s~types.UID?:uid=UID 4[]m267?:causes 5i?:retryAfterSeconds
v1.StatusCause 1s~v1.CauseType?:reason=Type 2s?:message 3s?:field
v1.UpdateOptions 1[]s?:dryRun 2s?:fieldManager 3s?:fieldValidation
v1.WatchEvent 1s:type 2m44:object
v1.AdmissionReview 1*m271?:request 2*m276?:response
v1.AdmissionRequest 1s~types.UID:uid=UID 2m272:kind 3m273:resource 4s?:subResource 13*m272?:requestKind 14*m273?:requestResource 15s?:requestSubResource 5s?:name 6s?:namespace 7s~v1.Operation:operation 8m274:userInfo 9m44:object 10m44:oldObject 11*b?:dryRun 12m44:options
v1.GroupVersionKind 1s:group 2s:version 3s:kind
v1.GroupVersionResource 1s:group 2s:version 3s:resource
v1.UserInfo 1s?:username 2s?:uid=UID 3[]s?:groups 4{}m275?:extra
v1.ExtraValue!list 1[]s:items
v1.AdmissionResponse 1s~types.UID:uid=UID 2b:allowed 3*m265?:status=Result 4y?:patch 5*s~v1.PatchType?:patchType 6{}s?:auditAnnotations 7[]s?:warnings
v1beta1.AdmissionReview 1*m278?:request 2*m279?:response
v1beta1.AdmissionRequest 1s~types.UID:uid=UID 2m272:kind 3m273:resource 4s?:subResource 13*m272?:requestKind 14*m273?:requestResource 15s?:requestSubResource 5s?:name 6s?:namespace 7s~v1beta1.Operation:operation 8m274:userInfo 9m44:object 10m44:oldObject 11*b?:dryRun 12m44:options
v1beta1.AdmissionResponse 1s~types.UID:uid=UID 2b:allowed 3*m265?:status=Result 4y?:patch 5*s~v1beta1.PatchType?:patchType 6{}s?:auditAnnotations 7[]s?:warnings
v1.MutatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m281:spec
v1.MutatingAdmissionPolicySpec 1*m282?:paramKind 2*m283?:matchConstraints 3[]m287?:variables 4[]m288?:mutations 5*s~v1.FailurePolicyType?:failurePolicy 6[]m291?:matchConditions 7s~v1.ReinvocationPolicyType?:reinvocationPolicy
v1.ParamKind 1s?:apiVersion=APIVersion 2s?:kind
v1.MatchResources 1*m105?:namespaceSelector 2*m105?:objectSelector 3[]m284?:resourceRules 4[]m284?:excludeResourceRules 7*s~v1.MatchPolicyType?:matchPolicy
v1.NamedRuleWithOperations 1[]s?:resourceNames 2m285:=RuleWithOperations
v1.RuleWithOperations 1[]s~[]v1.OperationType?:operations 2m286:=Rule
v1.Rule 1[]s?:apiGroups=APIGroups 2[]s?:apiVersions=APIVersions 3[]s?:resources 4*s~v1.ScopeType?:scope
v1.Variable 1s:name 2s:expression
v1.Mutation 2s~v1.PatchType:patchType 3*m289?:applyConfiguration 4*m290?:jsonPatch=JSONPatch
v1.ApplyConfiguration 1s?:expression
v1.JSONPatch 1s?:expression
v1.MatchCondition 1s:name 2s:expression
v1.MutatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m293:spec
v1.MutatingAdmissionPolicyBindingSpec 1s?:policyName 2*m294?:paramRef 3*m283?:matchResources
v1.ParamRef 1s?:name 2s?:namespace 3*m105?:selector 4*s~v1.ParameterNotFoundActionType?:parameterNotFoundAction
v1.MutatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m292:items
v1.MutatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m280:items
v1.MutatingWebhookConfiguration 1m11:metadata=ObjectMeta 2[]m298?:webhooks
v1.MutatingWebhook 1s:name 2m299:clientConfig 3[]m285?:rules 4*s~v1.FailurePolicyType?:failurePolicy 9*s~v1.MatchPolicyType?:matchPolicy 5*m105?:namespaceSelector 11*m105?:objectSelector 6*s~v1.SideEffectClass:sideEffects 7*i?:timeoutSeconds 8[]s:admissionReviewVersions 10*s~v1.ReinvocationPolicyType?:reinvocationPolicy 12[]m291?:matchConditions
v1.WebhookClientConfig 3*s?:url=URL 1*m300?:service 2y?:caBundle=CABundle
v1.ServiceReference 1s:namespace 2s:name 3*s?:path 4*i?:port
v1.MutatingWebhookConfigurationList 1m20:metadata=ListMeta 2[]m297:items
v1.ValidatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m303:spec 3m306:status
v1.ValidatingAdmissionPolicySpec 1*m282?:paramKind 2*m283?:matchConstraints 3[]m304?:validations 4*s~v1.FailurePolicyType?:failurePolicy 5[]m305?:auditAnnotations 6[]m291?:matchConditions 7[]m287?:variables
v1.Validation 1s:expression 2s?:message 3*s~v1.StatusReason?:reason 4s?:messageExpression
v1.AuditAnnotation 1s:key 2s:valueExpression
v1.ValidatingAdmissionPolicyStatus 1l?:observedGeneration 2*m307?:typeChecking 3[]m260?:conditions
v1.TypeChecking 1[]m308?:expressionWarnings
v1.ExpressionWarning 2s:fieldRef 3s:warning
v1.ValidatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m310:spec
v1.ValidatingAdmissionPolicyBindingSpec 1s?:policyName 2*m294?:paramRef 3*m283?:matchResources 4[]s~[]v1.ValidationAction?:validationActions
v1.ValidatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m309:items
v1.ValidatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m302:items
v1.ValidatingWebhookConfiguration 1m11:metadata=ObjectMeta 2[]m314?:webhooks
v1.ValidatingWebhook 1s:name 2m299:clientConfig 3[]m285?:rules 4*s~v1.FailurePolicyType?:failurePolicy 9*s~v1.MatchPolicyType?:matchPolicy 5*m105?:namespaceSelector 10*m105?:objectSelector 6*s~v1.SideEffectClass:sideEffects 7*i?:timeoutSeconds 8[]s:admissionReviewVersions 11[]m291?:matchConditions
v1.ValidatingWebhookConfigurationList 1m20:metadata=ListMeta 2[]m313:items
v1alpha1.MutatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m317:spec
v1alpha1.MutatingAdmissionPolicySpec 1*m318?:paramKind 2*m319?:matchConstraints 3[]m321?:variables 4[]m322?:mutations 5*s~v1alpha1.FailurePolicyType?:failurePolicy 6[]m325?:matchConditions 7s~v1.ReinvocationPolicyType?:reinvocationPolicy
v1alpha1.ParamKind 1s?:apiVersion=APIVersion 2s?:kind
v1alpha1.MatchResources 1*m105?:namespaceSelector 2*m105?:objectSelector 3[]m320?:resourceRules 4[]m320?:excludeResourceRules 7*s~v1alpha1.MatchPolicyType?:matchPolicy
v1alpha1.NamedRuleWithOperations 1[]s?:resourceNames 2m285:=RuleWithOperations
v1alpha1.Variable 1s:name 2s:expression
v1alpha1.Mutation 2s~v1alpha1.PatchType:patchType 3*m323?:applyConfiguration 4*m324?:jsonPatch=JSONPatch
v1alpha1.ApplyConfiguration 1s?:expression
v1alpha1.JSONPatch 1s?:expression
v1alpha1.MatchCondition 1s:name 2s:expression
v1alpha1.MutatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m327:spec
v1alpha1.MutatingAdmissionPolicyBindingSpec 1s?:policyName 2*m328?:paramRef 3*m319?:matchResources
v1alpha1.ParamRef 1s?:name 2s?:namespace 3*m105?:selector 4*s~v1alpha1.ParameterNotFoundActionType?:parameterNotFoundAction
v1alpha1.MutatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m326:items
v1alpha1.MutatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m316:items
v1alpha1.ValidatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m332:spec 3m335:status
v1alpha1.ValidatingAdmissionPolicySpec 1*m318?:paramKind 2*m319?:matchConstraints 3[]m333?:validations 4*s~v1alpha1.FailurePolicyType?:failurePolicy 5[]m334?:auditAnnotations 6[]m325?:matchConditions 7[]m321?:variables
v1alpha1.Validation 1s:expression 2s?:message 3*s~v1.StatusReason?:reason 4s?:messageExpression
v1alpha1.AuditAnnotation 1s:key 2s:valueExpression
v1alpha1.ValidatingAdmissionPolicyStatus 1l?:observedGeneration 2*m336?:typeChecking 3[]m260?:conditions
v1alpha1.TypeChecking 1[]m337?:expressionWarnings
v1alpha1.ExpressionWarning 2s:fieldRef 3s:warning
v1alpha1.ValidatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m339:spec
v1alpha1.ValidatingAdmissionPolicyBindingSpec 1s?:policyName 2*m328?:paramRef 3*m319?:matchResources 4[]s~[]v1alpha1.ValidationAction?:validationActions
v1alpha1.ValidatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m338:items
v1alpha1.ValidatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m331:items
v1beta1.MutatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m343:spec
v1beta1.MutatingAdmissionPolicySpec 1*m344?:paramKind 2*m345?:matchConstraints 3[]m347?:variables 4[]m348?:mutations 5*s~v1beta1.FailurePolicyType?:failurePolicy 6[]m351?:matchConditions 7s~v1.ReinvocationPolicyType?:reinvocationPolicy
v1beta1.ParamKind 1s?:apiVersion=APIVersion 2s?:kind
v1beta1.MatchResources 1*m105?:namespaceSelector 2*m105?:objectSelector 3[]m346?:resourceRules 4[]m346?:excludeResourceRules 7*s~v1beta1.MatchPolicyType?:matchPolicy
v1beta1.NamedRuleWithOperations 1[]s?:resourceNames 2m285:=RuleWithOperations
v1beta1.Variable 1s:name 2s:expression
v1beta1.Mutation 2s~v1beta1.PatchType:patchType 3*m349?:applyConfiguration 4*m350?:jsonPatch=JSONPatch
v1beta1.ApplyConfiguration 1s?:expression
v1beta1.JSONPatch 1s?:expression
v1beta1.MatchCondition 1s:name 2s:expression
v1beta1.MutatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m353:spec
v1beta1.MutatingAdmissionPolicyBindingSpec 1s?:policyName 2*m354?:paramRef 3*m345?:matchResources
v1beta1.ParamRef 1s?:name 2s?:namespace 3*m105?:selector 4*s~v1beta1.ParameterNotFoundActionType?:parameterNotFoundAction
v1beta1.MutatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m352:items
v1beta1.MutatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m342:items
v1beta1.MutatingWebhookConfiguration 1m11:metadata=ObjectMeta 2[]m358?:webhooks
v1beta1.MutatingWebhook 1s:name 2m359:clientConfig 3[]m285?:rules 4*s~v1beta1.FailurePolicyType?:failurePolicy 9*s~v1beta1.MatchPolicyType?:matchPolicy 5*m105?:namespaceSelector 11*m105?:objectSelector 6*s~v1beta1.SideEffectClass?:sideEffects 7*i?:timeoutSeconds 8[]s?:admissionReviewVersions 10*s~v1.ReinvocationPolicyType?:reinvocationPolicy 12[]m351?:matchConditions
v1beta1.WebhookClientConfig 3*s?:url=URL 1*m360?:service 2y?:caBundle=CABundle
v1beta1.ServiceReference 1s:namespace 2s:name 3*s?:path 4*i?:port
v1beta1.MutatingWebhookConfigurationList 1m20:metadata=ListMeta 2[]m357:items
v1beta1.ValidatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m363:spec 3m366:status
v1beta1.ValidatingAdmissionPolicySpec 1*m344?:paramKind 2*m345?:matchConstraints 3[]m364?:validations 4*s~v1beta1.FailurePolicyType?:failurePolicy 5[]m365?:auditAnnotations 6[]m351?:matchConditions 7[]m347?:variables
v1beta1.Validation 1s:expression 2s?:message 3*s~v1.StatusReason?:reason 4s?:messageExpression
v1beta1.AuditAnnotation 1s:key 2s:valueExpression
v1beta1.ValidatingAdmissionPolicyStatus 1l?:observedGeneration 2*m367?:typeChecking 3[]m260?:conditions
v1beta1.TypeChecking 1[]m368?:expressionWarnings
v1beta1.ExpressionWarning 2s:fieldRef 3s:warning
v1beta1.ValidatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m370:spec
v1beta1.ValidatingAdmissionPolicyBindingSpec 1s?:policyName 2*m354?:paramRef 3*m345?:matchResources 4[]s~[]v1beta1.ValidationAction?:validationActions
v1beta1.ValidatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m369:items
v1beta1.ValidatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m362:items
v1beta1.ValidatingWebhookConfiguration 1m11:metadata=ObjectMeta 2[]m374?:webhooks
v1beta1.ValidatingWebhook 1s:name 2m359:clientConfig 3[]m285?:rules 4*s~v1beta1.FailurePolicyType?:failurePolicy 9*s~v1beta1.MatchPolicyType?:matchPolicy 5*m105?:namespaceSelector 10*m105?:objectSelector 6*s~v1beta1.SideEffectClass?:sideEffects 7*i?:timeoutSeconds 8[]s?:admissionReviewVersions 11[]m351?:matchConditions
v1beta1.ValidatingWebhookConfigurationList 1m20:metadata=ListMeta 2[]m373:items
v2.APIGroupDiscovery 1m11:metadata=ObjectMeta 2[]m377?:versions
v2.APIVersionDiscovery 1s:version 2[]m378?:resources 3s~v2.DiscoveryFreshness?:freshness
v2.APIResourceDiscovery 1s:resource 2*m272?:responseKind 3s~v2.ResourceScope:scope 4s:singularResource 5[]s:verbs 6[]s?:shortNames 7[]s?:categories 8[]m379?:subresources
v2.APISubresourceDiscovery 1s:subresource 2*m272?:responseKind 3[]m272?:acceptedTypes 4[]s:verbs
v2.APIGroupDiscoveryList 1m20:metadata=ListMeta 2[]m376:items
v2beta1.APIGroupDiscovery 1m11:metadata=ObjectMeta 2[]m382?:versions
v2beta1.APIVersionDiscovery 1s:version 2[]m383?:resources 3s~v2beta1.DiscoveryFreshness?:freshness
v2beta1.APIResourceDiscovery 1s:resource 2*m272?:responseKind 3s~v2beta1.ResourceScope:scope 4s:singularResource 5[]s:verbs 6[]s?:shortNames 7[]s?:categories 8[]m384?:subresources
v2beta1.APISubresourceDiscovery 1s:subresource 2*m272?:responseKind 3[]m272?:acceptedTypes 4[]s:verbs
v2beta1.APIGroupDiscoveryList 1m20:metadata=ListMeta 2[]m381:items
v1.ConversionReview 1*m387?:request 2*m388?:response
v1.ConversionRequest 1s~types.UID:uid=UID 2s:desiredAPIVersion 3[]m44:objects
v1.ConversionResponse 1s~types.UID:uid=UID 2[]m44:convertedObjects 3m265:result
v1.CustomResourceDefinition 1m11:metadata=ObjectMeta 2m390:spec 3m410:status
v1.CustomResourceDefinitionSpec 1s:group 3m391:names 4s~v1.ResourceScope:scope 7[]m392:versions 9*m406?:conversion 10b?:preserveUnknownFields
v1.CustomResourceDefinitionNames 1s:plural 2s?:singular 3[]s?:shortNames 4s:kind 5s?:listKind 6[]s?:categories
v1.CustomResourceDefinitionVersion 1s:name 2b:served 3b:storage 7b?:deprecated 8*s?:deprecationWarning 4*m393?:schema 5*m401?:subresources 6[]m404?:additionalPrinterColumns 9[]m405?:selectableFields
v1.CustomResourceValidation 1*m394?:openAPIV3Schema
v1.JSONSchemaProps 1s?:id=ID 2s~v1.JSONSchemaURL?:$schema=Schema 3*s?:$ref=Ref 4s?:description 5s?:type 6s?:format 7s?:title 8*m395?:default 9*d?:maximum 10b?:exclusiveMaximum 11*d?:minimum 12b?:exclusiveMinimum 13*l?:maxLength 14*l?:minLength 15s?:pattern 16*l?:maxItems 17*l?:minItems 18b?:uniqueItems 19*d?:multipleOf 20[]m395?:enum 21*l?:maxProperties 22*l?:minProperties 23[]s?:required 24*m396?:items 25[]m394?:allOf 26[]m394?:oneOf 27[]m394?:anyOf 28*m394?:not 29{}m394?:properties 30*m397?:additionalProperties 31{}m394?:patternProperties 32{}m398~v1.JSONSchemaDependencies?:dependencies 33*m397?:additionalItems 34{}m394~v1.JSONSchemaDefinitions?:definitions 35*m399?:externalDocs 36*m395?:example 37b?:nullable 38*b?:x-kubernetes-preserve-unknown-fields=XPreserveUnknownFields 39b?:x-kubernetes-embedded-resource=XEmbeddedResource 40b?:x-kubernetes-int-or-string=XIntOrString 41[]s?:x-kubernetes-list-map-keys=XListMapKeys 42*s?:x-kubernetes-list-type=XListType 43*s?:x-kubernetes-map-type=XMapType 44[]m400~v1.ValidationRules?:x-kubernetes-validations=XValidations
v1.JSON!raw 1y:raw
v1.JSONSchemaPropsOrArray!schemaOrArray 1*m394:Schema 2[]m394:JSONSchemas
v1.JSONSchemaPropsOrBool!schemaOrBool 1b:Allows 2*m394:Schema
v1.JSONSchemaPropsOrStringArray!schemaOrStrings 1*m394:Schema 2[]s:Property
v1.ExternalDocumentation 1s?:description 2s?:url=URL
v1.ValidationRule 1s:rule 2s?:message 3s?:messageExpression 4*s~v1.FieldValueErrorReason?:reason 5s?:fieldPath 6*b?:optionalOldSelf
v1.CustomResourceSubresources 1*m402?:status 2*m403?:scale
v1.CustomResourceSubresourceStatus
v1.CustomResourceSubresourceScale 1s:specReplicasPath 2s:statusReplicasPath 3*s?:labelSelectorPath
v1.CustomResourceColumnDefinition 1s:name 2s:type 3s?:format 4s?:description 5i?:priority 6s:jsonPath=JSONPath
v1.SelectableField 1s:jsonPath=JSONPath
v1.CustomResourceConversion 1s~v1.ConversionStrategyType:strategy 2*m407?:webhook
v1.WebhookConversion 2*m408?:clientConfig 3[]s:conversionReviewVersions
v1.WebhookClientConfig 3*s?:url=URL 1*m409?:service 2y?:caBundle=CABundle
v1.ServiceReference 1s:namespace 2s:name 3*s?:path 4*i?:port
v1.CustomResourceDefinitionStatus 1[]m411:conditions 2m391:acceptedNames 3[]s:storedVersions 4l?:observedGeneration
v1.CustomResourceDefinitionCondition 1s~v1.CustomResourceDefinitionConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message 6l?:observedGeneration
v1.CustomResourceDefinitionList 1m20:metadata=ListMeta 2[]m389:items
v1beta1.ConversionReview 1*m414?:request 2*m415?:response
v1beta1.ConversionRequest 1s~types.UID:uid=UID 2s:desiredAPIVersion 3[]m44:objects
v1beta1.ConversionResponse 1s~types.UID:uid=UID 2[]m44:convertedObjects 3m265:result
v1beta1.CustomResourceDefinition 1m11:metadata=ObjectMeta 2m417:spec 3m436:status
v1beta1.CustomResourceDefinitionSpec 1s:group 2s?:version 3m418:names 4s~v1beta1.ResourceScope:scope 5*m419?:validation 6*m427?:subresources 7[]m430?:versions 8[]m431?:additionalPrinterColumns 11[]m432?:selectableFields 9*m433?:conversion 10*b?:preserveUnknownFields
v1beta1.CustomResourceDefinitionNames 1s:plural 2s?:singular 3[]s?:shortNames 4s:kind 5s?:listKind 6[]s?:categories
v1beta1.CustomResourceValidation 1*m420?:openAPIV3Schema
v1beta1.JSONSchemaProps 1s?:id=ID 2s~v1beta1.JSONSchemaURL?:$schema=Schema 3*s?:$ref=Ref 4s?:description 5s?:type 6s?:format 7s?:title 8*m421?:default 9*d?:maximum 10b?:exclusiveMaximum 11*d?:minimum 12b?:exclusiveMinimum 13*l?:maxLength 14*l?:minLength 15s?:pattern 16*l?:maxItems 17*l?:minItems 18b?:uniqueItems 19*d?:multipleOf 20[]m421?:enum 21*l?:maxProperties 22*l?:minProperties 23[]s?:required 24*m422?:items 25[]m420?:allOf 26[]m420?:oneOf 27[]m420?:anyOf 28*m420?:not 29{}m420?:properties 30*m423?:additionalProperties 31{}m420?:patternProperties 32{}m424~v1beta1.JSONSchemaDependencies?:dependencies 33*m423?:additionalItems 34{}m420~v1beta1.JSONSchemaDefinitions?:definitions 35*m425?:externalDocs 36*m421?:example 37b?:nullable 38*b?:x-kubernetes-preserve-unknown-fields=XPreserveUnknownFields 39b?:x-kubernetes-embedded-resource=XEmbeddedResource 40b?:x-kubernetes-int-or-string=XIntOrString 41[]s?:x-kubernetes-list-map-keys=XListMapKeys 42*s?:x-kubernetes-list-type=XListType 43*s?:x-kubernetes-map-type=XMapType 44[]m426~v1beta1.ValidationRules?:x-kubernetes-validations=XValidations
v1beta1.JSON!raw 1y:raw
v1beta1.JSONSchemaPropsOrArray!schemaOrArray 1*m420:Schema 2[]m420:JSONSchemas
v1beta1.JSONSchemaPropsOrBool!schemaOrBool 1b:Allows 2*m420:Schema
v1beta1.JSONSchemaPropsOrStringArray!schemaOrStrings 1*m420:Schema 2[]s:Property
v1beta1.ExternalDocumentation 1s?:description 2s?:url=URL
v1beta1.ValidationRule 1s:rule 2s?:message 3s?:messageExpression 4*s~v1beta1.FieldValueErrorReason?:reason 5s?:fieldPath 6*b?:optionalOldSelf
v1beta1.CustomResourceSubresources 1*m428?:status 2*m429?:scale
v1beta1.CustomResourceSubresourceStatus
v1beta1.CustomResourceSubresourceScale 1s:specReplicasPath 2s:statusReplicasPath 3*s?:labelSelectorPath
v1beta1.CustomResourceDefinitionVersion 1s:name 2b:served 3b:storage 7b?:deprecated 8*s?:deprecationWarning 4*m419?:schema 5*m427?:subresources 6[]m431?:additionalPrinterColumns 9[]m432?:selectableFields
v1beta1.CustomResourceColumnDefinition 1s:name 2s:type 3s?:format 4s?:description 5i?:priority 6s:JSONPath
v1beta1.SelectableField 1s:jsonPath=JSONPath
v1beta1.CustomResourceConversion 1s~v1beta1.ConversionStrategyType:strategy 2*m434?:webhookClientConfig 3[]s?:conversionReviewVersions
v1beta1.WebhookClientConfig 3*s?:url=URL 1*m435?:service 2y?:caBundle=CABundle
v1beta1.ServiceReference 1s:namespace 2s:name 3*s?:path 4*i?:port
v1beta1.CustomResourceDefinitionStatus 1[]m437:conditions 2m418:acceptedNames 3[]s:storedVersions 4l?:observedGeneration
v1beta1.CustomResourceDefinitionCondition 1s~v1beta1.CustomResourceDefinitionConditionType:type 2s~v1beta1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message 6l?:observedGeneration
v1beta1.CustomResourceDefinitionList 1m20:metadata=ListMeta 2[]m416:items
v1.APIService 1m11:metadata=ObjectMeta 2m440:spec 3m442:status
v1.APIServiceSpec 1*m441?:service 2s?:group 3s?:version 4b?:insecureSkipTLSVerify 5y?:caBundle=CABundle 7i:groupPriorityMinimum 8i:versionPriority
v1.ServiceReference 1s?:namespace 2s?:name 3*i?:port
v1.APIServiceStatus 1[]m443?:conditions
v1.APIServiceCondition 1s~v1.APIServiceConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1.APIServiceList 1m20:metadata=ListMeta 2[]m439:items
v1beta1.APIService 1m11:metadata=ObjectMeta 2m446:spec 3m448:status
v1beta1.APIServiceSpec 1*m447?:service 2s?:group 3s?:version 4b?:insecureSkipTLSVerify 5y?:caBundle=CABundle 7i:groupPriorityMinimum 8i:versionPriority
v1beta1.ServiceReference 1s?:namespace 2s?:name 3*i?:port
v1beta1.APIServiceStatus 1[]m449?:conditions
v1beta1.APIServiceCondition 1s~v1beta1.APIServiceConditionType:type 2s~v1beta1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta1.APIServiceList 1m20:metadata=ListMeta 2[]m445:items
v1.ControllerRevision 1m11:metadata=ObjectMeta 2m44:data 3l:revision
v1.ControllerRevisionList 1m20:metadata=ListMeta 2[]m451:items
v1.DaemonSet 1m11:metadata=ObjectMeta 2m454:spec 3m457:status
v1.DaemonSetSpec 1*m105:selector 2m234:template 3m455:updateStrategy 4i?:minReadySeconds 6*i?:revisionHistoryLimit
v1.DaemonSetUpdateStrategy 1s~v1.DaemonSetUpdateStrategyType?:type 2*m456?:rollingUpdate
v1.RollingUpdateDaemonSet 1*m172?:maxUnavailable 2*m172?:maxSurge
v1.DaemonSetStatus 1i:currentNumberScheduled 2i:numberMisscheduled 3i:desiredNumberScheduled 4i:numberReady 5l?:observedGeneration 6i?:updatedNumberScheduled 7i?:numberAvailable 8i?:numberUnavailable 9*i?:collisionCount 10[]m458?:conditions
v1.DaemonSetCondition 1s~v1.DaemonSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1.DaemonSetList 1m20:metadata=ListMeta 2[]m453:items
v1.Deployment 1m11:metadata=ObjectMeta 2m461:spec 3m464:status
v1.DeploymentSpec 1*i?:replicas 2*m105:selector 3m234:template 4m462:strategy 5i?:minReadySeconds 6*i?:revisionHistoryLimit 7b?:paused 9*i?:progressDeadlineSeconds
v1.DeploymentStrategy 1s~v1.DeploymentStrategyType?:type 2*m463?:rollingUpdate
v1.RollingUpdateDeployment 1*m172?:maxUnavailable 2*m172?:maxSurge
v1.DeploymentStatus 1l?:observedGeneration 2i?:replicas 3i?:updatedReplicas 7i?:readyReplicas 4i?:availableReplicas 5i?:unavailableReplicas 9*i?:terminatingReplicas 6[]m465?:conditions 8*i?:collisionCount
v1.DeploymentCondition 1s~v1.DeploymentConditionType:type 2s~v1.ConditionStatus:status 6m12:lastUpdateTime 7m12:lastTransitionTime 4s?:reason 5s?:message
v1.DeploymentList 1m20:metadata=ListMeta 2[]m460:items
v1.ReplicaSet 1m11:metadata=ObjectMeta 2m468:spec 3m469:status
v1.ReplicaSetSpec 1*i?:replicas 4i?:minReadySeconds 2*m105:selector 3m234:template
v1.ReplicaSetStatus 1i:replicas 2i?:fullyLabeledReplicas 4i?:readyReplicas 5i?:availableReplicas 7*i?:terminatingReplicas 3l?:observedGeneration 6[]m470?:conditions
v1.ReplicaSetCondition 1s~v1.ReplicaSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1.ReplicaSetList 1m20:metadata=ListMeta 2[]m467:items
v1.StatefulSet 1m11:metadata=ObjectMeta 2m473:spec 3m478:status
v1.StatefulSetSpec 1*i?:replicas 2*m105:selector 3m234:template 4[]m103?:volumeClaimTemplates 5s:serviceName 6s~v1.PodManagementPolicyType?:podManagementPolicy 7m474:updateStrategy 8*i?:revisionHistoryLimit 9i?:minReadySeconds 10*m476?:persistentVolumeClaimRetentionPolicy 11*m477?:ordinals
v1.StatefulSetUpdateStrategy 1s~v1.StatefulSetUpdateStrategyType?:type 2*m475?:rollingUpdate
v1.RollingUpdateStatefulSetStrategy 1*i?:partition 2*m172?:maxUnavailable
v1.StatefulSetPersistentVolumeClaimRetentionPolicy 1s~v1.PersistentVolumeClaimRetentionPolicyType?:whenDeleted 2s~v1.PersistentVolumeClaimRetentionPolicyType?:whenScaled
v1.StatefulSetOrdinals 1i:start
v1.StatefulSetStatus 1l?:observedGeneration 2i:replicas 3i?:readyReplicas 4i?:currentReplicas 5i?:updatedReplicas 6s?:currentRevision 7s?:updateRevision 9*i?:collisionCount 10[]m479?:conditions 11i:availableReplicas
v1.StatefulSetCondition 1s~v1.StatefulSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1.StatefulSetList 1m20:metadata=ListMeta 2[]m472:items
v1beta1.ControllerRevision 1m11:metadata=ObjectMeta 2m44:data 3l:revision
v1beta1.ControllerRevisionList 1m20:metadata=ListMeta 2[]m481:items
v1beta1.Deployment 1m11:metadata=ObjectMeta 2m484:spec 3m488:status
v1beta1.DeploymentSpec 1*i?:replicas 2*m105?:selector 3m234:template 4m485:strategy 5i?:minReadySeconds 6*i?:revisionHistoryLimit 7b?:paused 8*m487?:rollbackTo 9*i?:progressDeadlineSeconds
v1beta1.DeploymentStrategy 1s~v1beta1.DeploymentStrategyType?:type 2*m486?:rollingUpdate
v1beta1.RollingUpdateDeployment 1*m172?:maxUnavailable 2*m172?:maxSurge
v1beta1.RollbackConfig 1l?:revision
v1beta1.DeploymentStatus 1l?:observedGeneration 2i?:replicas 3i?:updatedReplicas 7i?:readyReplicas 4i?:availableReplicas 5i?:unavailableReplicas 9*i?:terminatingReplicas 6[]m489?:conditions 8*i?:collisionCount
v1beta1.DeploymentCondition 1s~v1beta1.DeploymentConditionType:type 2s~v1.ConditionStatus:status 6m12:lastUpdateTime 7m12:lastTransitionTime 4s?:reason 5s?:message
v1beta1.DeploymentList 1m20:metadata=ListMeta 2[]m483:items
v1beta1.DeploymentRollback 1s:name 2{}s?:updatedAnnotations 3m487:rollbackTo
v1beta1.Scale 1m11:metadata=ObjectMeta 2m493:spec 3m494:status
v1beta1.ScaleSpec 1i?:replicas
v1beta1.ScaleStatus 1i:replicas 2{}s?:selector 3s?:targetSelector
v1beta1.StatefulSet 1m11:metadata=ObjectMeta 2m496:spec 3m501:status
v1beta1.StatefulSetSpec 1*i?:replicas 2*m105?:selector 3m234:template 4[]m103?:volumeClaimTemplates 5s:serviceName 6s~v1beta1.PodManagementPolicyType?:podManagementPolicy 7m497:updateStrategy 8*i?:revisionHistoryLimit 9i?:minReadySeconds 10*m499?:persistentVolumeClaimRetentionPolicy 11*m500?:ordinals
v1beta1.StatefulSetUpdateStrategy 1s~v1beta1.StatefulSetUpdateStrategyType?:type 2*m498?:rollingUpdate
v1beta1.RollingUpdateStatefulSetStrategy 1*i?:partition 2*m172?:maxUnavailable
v1beta1.StatefulSetPersistentVolumeClaimRetentionPolicy 1s~v1beta1.PersistentVolumeClaimRetentionPolicyType?:whenDeleted 2s~v1beta1.PersistentVolumeClaimRetentionPolicyType?:whenScaled
v1beta1.StatefulSetOrdinals 1i:start
v1beta1.StatefulSetStatus 1*l?:observedGeneration 2i:replicas 3i?:readyReplicas 4i?:currentReplicas 5i?:updatedReplicas 6s?:currentRevision 7s?:updateRevision 9*i?:collisionCount 10[]m502?:conditions 11i:availableReplicas
v1beta1.StatefulSetCondition 1s~v1beta1.StatefulSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta1.StatefulSetList 1m20:metadata=ListMeta 2[]m495:items
v1beta2.ControllerRevision 1m11:metadata=ObjectMeta 2m44:data 3l:revision
v1beta2.ControllerRevisionList 1m20:metadata=ListMeta 2[]m504:items
v1beta2.DaemonSet 1m11:metadata=ObjectMeta 2m507:spec 3m510:status
v1beta2.DaemonSetSpec 1*m105:selector 2m234:template 3m508:updateStrategy 4i?:minReadySeconds 6*i?:revisionHistoryLimit
v1beta2.DaemonSetUpdateStrategy 1s~v1beta2.DaemonSetUpdateStrategyType?:type 2*m509?:rollingUpdate
v1beta2.RollingUpdateDaemonSet 1*m172?:maxUnavailable 2*m172?:maxSurge
v1beta2.DaemonSetStatus 1i:currentNumberScheduled 2i:numberMisscheduled 3i:desiredNumberScheduled 4i:numberReady 5l?:observedGeneration 6i?:updatedNumberScheduled 7i?:numberAvailable 8i?:numberUnavailable 9*i?:collisionCount 10[]m511?:conditions
v1beta2.DaemonSetCondition 1s~v1beta2.DaemonSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta2.DaemonSetList 1m20:metadata=ListMeta 2[]m506:items
v1beta2.Deployment 1m11:metadata=ObjectMeta 2m514:spec 3m517:status
v1beta2.DeploymentSpec 1*i?:replicas 2*m105:selector 3m234:template 4m515:strategy 5i?:minReadySeconds 6*i?:revisionHistoryLimit 7b?:paused 9*i?:progressDeadlineSeconds
v1beta2.DeploymentStrategy 1s~v1beta2.DeploymentStrategyType?:type 2*m516?:rollingUpdate
v1beta2.RollingUpdateDeployment 1*m172?:maxUnavailable 2*m172?:maxSurge
v1beta2.DeploymentStatus 1l?:observedGeneration 2i?:replicas 3i?:updatedReplicas 7i?:readyReplicas 4i?:availableReplicas 5i?:unavailableReplicas 9*i?:terminatingReplicas 6[]m518?:conditions 8*i?:collisionCount
v1beta2.DeploymentCondition 1s~v1beta2.DeploymentConditionType:type 2s~v1.ConditionStatus:status 6m12:lastUpdateTime 7m12:lastTransitionTime 4s?:reason 5s?:message
v1beta2.DeploymentList 1m20:metadata=ListMeta 2[]m513:items
v1beta2.ReplicaSet 1m11:metadata=ObjectMeta 2m521:spec 3m522:status
v1beta2.ReplicaSetSpec 1*i?:replicas 4i?:minReadySeconds 2*m105:selector 3m234:template
v1beta2.ReplicaSetStatus 1i:replicas 2i?:fullyLabeledReplicas 4i?:readyReplicas 5i?:availableReplicas 7*i?:terminatingReplicas 3l?:observedGeneration 6[]m523?:conditions
v1beta2.ReplicaSetCondition 1s~v1beta2.ReplicaSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta2.ReplicaSetList 1m20:metadata=ListMeta 2[]m520:items
v1beta2.Scale 1m11:metadata=ObjectMeta 2m526:spec 3m527:status
v1beta2.ScaleSpec 1i?:replicas
v1beta2.ScaleStatus 1i:replicas 2{}s?:selector 3s?:targetSelector
v1beta2.StatefulSet 1m11:metadata=ObjectMeta 2m529:spec 3m534:status
v1beta2.StatefulSetSpec 1*i?:replicas 2*m105:selector 3m234:template 4[]m103?:volumeClaimTemplates 5s:serviceName 6s~v1beta2.PodManagementPolicyType?:podManagementPolicy 7m530:updateStrategy 8*i?:revisionHistoryLimit 9i?:minReadySeconds 10*m532?:persistentVolumeClaimRetentionPolicy 11*m533?:ordinals
v1beta2.StatefulSetUpdateStrategy 1s~v1beta2.StatefulSetUpdateStrategyType?:type 2*m531?:rollingUpdate
v1beta2.RollingUpdateStatefulSetStrategy 1*i?:partition 2*m172?:maxUnavailable
v1beta2.StatefulSetPersistentVolumeClaimRetentionPolicy 1s~v1beta2.PersistentVolumeClaimRetentionPolicyType?:whenDeleted 2s~v1beta2.PersistentVolumeClaimRetentionPolicyType?:whenScaled
v1beta2.StatefulSetOrdinals 1i:start
v1beta2.StatefulSetStatus 1l?:observedGeneration 2i:replicas 3i?:readyReplicas 4i?:currentReplicas 5i?:updatedReplicas 6s?:currentRevision 7s?:updateRevision 9*i?:collisionCount 10[]m535?:conditions 11i:availableReplicas
v1beta2.StatefulSetCondition 1s~v1beta2.StatefulSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta2.StatefulSetList 1m20:metadata=ListMeta 2[]m528:items
v1.SelfSubjectReview 1m11:metadata=ObjectMeta 2m538:status
v1.SelfSubjectReviewStatus 1m274:userInfo
v1.TokenRequest 1m11:metadata=ObjectMeta 2m540:spec 3m542:status
v1.TokenRequestSpec 1[]s:audiences 4*l:expirationSeconds 3*m541:boundObjectRef
v1.BoundObjectReference 1s?:kind 2s?:apiVersion=APIVersion 3s?:name 4s~types.UID?:uid=UID
v1.TokenRequestStatus 1s:token 2m12:expirationTimestamp
v1.TokenReview 1m11:metadata=ObjectMeta 2m544:spec 3m545:status
v1.TokenReviewSpec 1s?:token 2[]s?:audiences
v1.TokenReviewStatus 1b?:authenticated 2m274:user 4[]s?:audiences 3s?:error
v1alpha1.SelfSubjectReview 1m11:metadata=ObjectMeta 2m547:status
v1alpha1.SelfSubjectReviewStatus 1m274:userInfo
v1beta1.SelfSubjectReview 1m11:metadata=ObjectMeta 2m549:status
v1beta1.SelfSubjectReviewStatus 1m274:userInfo
v1beta1.TokenReview 1m11:metadata=ObjectMeta 2m551:spec 3m552:status
v1beta1.TokenReviewSpec 1s?:token 2[]s?:audiences
v1beta1.TokenReviewStatus 1b?:authenticated 2m553:user 4[]s?:audiences 3s?:error
v1beta1.UserInfo 1s?:username 2s?:uid=UID 3[]s?:groups 4{}m554?:extra
v1beta1.ExtraValue!list 1[]s:items
v1.LocalSubjectAccessReview 1m11:metadata=ObjectMeta 2m556:spec 3m563:status
v1.SubjectAccessReviewSpec 1*m557?:resourceAttributes 2*m561?:nonResourceAttributes 3s?:user 4[]s?:groups 5{}m562?:extra 6s?:uid=UID
v1.ResourceAttributes 1s?:namespace 2s?:verb 3s?:group 4s?:version 5s?:resource 6s?:subresource 7s?:name 8*m558?:fieldSelector 9*m560?:labelSelector
v1.FieldSelectorAttributes 1s?:rawSelector 2[]m559?:requirements
v1.FieldSelectorRequirement 1s:key 2s~v1.FieldSelectorOperator:operator 3[]s?:values
v1.LabelSelectorAttributes 1s?:rawSelector 2[]m106?:requirements
v1.NonResourceAttributes 1s?:path 2s?:verb
v1.ExtraValue!list 1[]s:items
v1.SubjectAccessReviewStatus 1b:allowed 4b?:denied 2s?:reason 3s?:evaluationError
v1.SelfSubjectAccessReview 1m11:metadata=ObjectMeta 2m565:spec 3m563:status
v1.SelfSubjectAccessReviewSpec 1*m557?:resourceAttributes 2*m561?:nonResourceAttributes
v1.SelfSubjectRulesReview 1m11:metadata=ObjectMeta 2m567:spec 3m568:status
v1.SelfSubjectRulesReviewSpec 1s?:namespace
v1.SubjectRulesReviewStatus 1[]m569:resourceRules 2[]m570:nonResourceRules 3b:incomplete 4s?:evaluationError
v1.ResourceRule 1[]s:verbs 2[]s?:apiGroups=APIGroups 3[]s?:resources 4[]s?:resourceNames
v1.NonResourceRule 1[]s:verbs 2[]s?:nonResourceURLs
v1.SubjectAccessReview 1m11:metadata=ObjectMeta 2m556:spec 3m563:status
v1beta1.LocalSubjectAccessReview 1m11:metadata=ObjectMeta 2m573:spec 3m577:status
v1beta1.SubjectAccessReviewSpec 1*m574?:resourceAttributes 2*m575?:nonResourceAttributes 3s?:user 4[]s?:group=Groups 5{}m576?:extra 6s?:uid=UID
v1beta1.ResourceAttributes 1s?:namespace 2s?:verb 3s?:group 4s?:version 5s?:resource 6s?:subresource 7s?:name 8*m558?:fieldSelector 9*m560?:labelSelector
v1beta1.NonResourceAttributes 1s?:path 2s?:verb
v1beta1.ExtraValue!list 1[]s:items
v1beta1.SubjectAccessReviewStatus 1b:allowed 4b?:denied 2s?:reason 3s?:evaluationError
v1beta1.SelfSubjectAccessReview 1m11:metadata=ObjectMeta 2m579:spec 3m577:status
v1beta1.SelfSubjectAccessReviewSpec 1*m574?:resourceAttributes 2*m575?:nonResourceAttributes
v1beta1.SelfSubjectRulesReview 1m11:metadata=ObjectMeta 2m581:spec 3m582:status
v1beta1.SelfSubjectRulesReviewSpec 1s?:namespace
v1beta1.SubjectRulesReviewStatus 1[]m583:resourceRules 2[]m584:nonResourceRules 3b:incomplete 4s?:evaluationError
v1beta1.ResourceRule 1[]s:verbs 2[]s?:apiGroups=APIGroups 3[]s?:resources 4[]s?:resourceNames
v1beta1.NonResourceRule 1[]s:verbs 2[]s?:nonResourceURLs
v1beta1.SubjectAccessReview 1m11:metadata=ObjectMeta 2m573:spec 3m577:status
v1.HorizontalPodAutoscaler 1m11:metadata=ObjectMeta 2m587:spec 3m589:status
v1.HorizontalPodAutoscalerSpec 1m588:scaleTargetRef 2*i?:minReplicas 3i:maxReplicas 4*i?:targetCPUUtilizationPercentage
v1.CrossVersionObjectReference 1s:kind 2s:name 3s?:apiVersion=APIVersion
v1.HorizontalPodAutoscalerStatus 1*l?:observedGeneration 2*m12?:lastScaleTime 3i:currentReplicas 4i:desiredReplicas 5*i?:currentCPUUtilizationPercentage
v1.HorizontalPodAutoscalerList 1m20:metadata=ListMeta 2[]m586:items
v1.Scale 1m11:metadata=ObjectMeta 2m592:spec 3m593:status
v1.ScaleSpec 1i?:replicas
v1.ScaleStatus 1i:replicas 2s?:selector
v2.HorizontalPodAutoscaler 1m11:metadata=ObjectMeta 2m595:spec 3m608:status
v2.HorizontalPodAutoscalerSpec 1m596:scaleTargetRef 2*i?:minReplicas 3i:maxReplicas 4[]m597?:metrics 5*m605?:behavior
v2.CrossVersionObjectReference 1s:kind 2s:name 3s?:apiVersion=APIVersion
v2.MetricSpec 1s~v2.MetricSourceType:type 2*m598?:object 3*m601?:pods 4*m602?:resource 7*m603?:containerResource 5*m604?:external
v2.ObjectMetricSource 1m596:describedObject 2m599:target 3m600:metric
v2.MetricTarget 1s~v2.MetricTargetType:type 2*m41?:value 3*m41?:averageValue 4*i?:averageUtilization
v2.MetricIdentifier 1s:name 2*m105?:selector
v2.PodsMetricSource 1m600:metric 2m599:target
v2.ResourceMetricSource 1s~v1.ResourceName:name 2m599:target
v2.ContainerResourceMetricSource 1s~v1.ResourceName:name 2m599:target 3s:container
v2.ExternalMetricSource 1m600:metric 2m599:target
v2.HorizontalPodAutoscalerBehavior 1*m606?:scaleUp 2*m606?:scaleDown
v2.HPAScalingRules 3*i?:stabilizationWindowSeconds 1*s~v2.ScalingPolicySelect?:selectPolicy 2[]m607?:policies 4*m41?:tolerance
v2.HPAScalingPolicy 1s~v2.HPAScalingPolicyType:type 2i:value 3i:periodSeconds
v2.HorizontalPodAutoscalerStatus 1*l?:observedGeneration 2*m12?:lastScaleTime 3i?:currentReplicas 4i:desiredReplicas 5[]m609:currentMetrics 6[]m616?:conditions
v2.MetricStatus 1s~v2.MetricSourceType:type 2*m610?:object 3*m612?:pods 4*m613?:resource 7*m614?:containerResource 5*m615?:external
v2.ObjectMetricStatus 1m600:metric 2m611:current 3m596:describedObject
v2.MetricValueStatus 1*m41?:value 2*m41?:averageValue 3*i?:averageUtilization
v2.PodsMetricStatus 1m600:metric 2m611:current
v2.ResourceMetricStatus 1s~v1.ResourceName:name 2m611:current
v2.ContainerResourceMetricStatus 1s~v1.ResourceName:name 2m611:current 3s:container
v2.ExternalMetricStatus 1m600:metric 2m611:current
v2.HorizontalPodAutoscalerCondition 1s~v2.HorizontalPodAutoscalerConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v2.HorizontalPodAutoscalerList 1m20:metadata=ListMeta 2[]m594:items
v1.CronJob 1m11:metadata=ObjectMeta 2m619:spec 3m628:status
v1.CronJobSpec 1s:schedule 8*s?:timeZone 2*l?:startingDeadlineSeconds 3s~v1.ConcurrencyPolicy?:concurrencyPolicy 4*b?:suspend 5m620:jobTemplate 6*i?:successfulJobsHistoryLimit 7*i?:failedJobsHistoryLimit
v1.JobTemplateSpec 1m11:metadata=ObjectMeta 2m621:spec
v1.JobSpec 1*i?:parallelism 2*i?:completions 3*l?:activeDeadlineSeconds 11*m622?:podFailurePolicy 16*m626?:successPolicy 7*i?:backoffLimit 12*i?:backoffLimitPerIndex 13*i?:maxFailedIndexes 4*m105?:selector 5*b?:manualSelector 6m234:template 8*i?:ttlSecondsAfterFinished=TTLSecondsAfterFinished 9*s~v1.CompletionMode?:completionMode 10*b?:suspend 14*s~v1.PodReplacementPolicy?:podReplacementPolicy 15*s?:managedBy
v1.PodFailurePolicy 1[]m623:rules
v1.PodFailurePolicyRule 1s~v1.PodFailurePolicyAction:action 2*m624?:onExitCodes 3[]m625?:onPodConditions
v1.PodFailurePolicyOnExitCodesRequirement 1*s?:containerName 2s~v1.PodFailurePolicyOnExitCodesOperator:operator 3[]i:values
v1.PodFailurePolicyOnPodConditionsPattern 1s~v1.PodConditionType:type 2s~v1.ConditionStatus:status
v1.SuccessPolicy 1[]m627:rules
v1.SuccessPolicyRule 1*s?:succeededIndexes 2*i?:succeededCount
v1.CronJobStatus 1[]m16?:active 4*m12?:lastScheduleTime 5*m12?:lastSuccessfulTime
v1.CronJobList 1m20:metadata=ListMeta 2[]m618:items
v1.Job 1m11:metadata=ObjectMeta 2m621:spec 3m631:status
v1.JobStatus 1[]m632?:conditions 2*m12?:startTime 3*m12?:completionTime 4i?:active 5i?:succeeded 6i?:failed 11*i?:terminating 7s?:completedIndexes 10*s?:failedIndexes 8*m633?:uncountedTerminatedPods 9*i?:ready
v1.JobCondition 1s~v1.JobConditionType:type 2s~v1.ConditionStatus:status 3m12:lastProbeTime 4m12:lastTransitionTime 5s?:reason 6s?:message
v1.UncountedTerminatedPods 1[]s~[]types.UID?:succeeded 2[]s~[]types.UID?:failed
v1.JobList 1m20:metadata=ListMeta 2[]m630:items
v1beta1.CronJob 1m11:metadata=ObjectMeta 2m636:spec 3m638:status
v1beta1.CronJobSpec 1s:schedule 8*s?:timeZone 2*l?:startingDeadlineSeconds 3s~v1beta1.ConcurrencyPolicy?:concurrencyPolicy 4*b?:suspend 5m637:jobTemplate 6*i?:successfulJobsHistoryLimit 7*i?:failedJobsHistoryLimit
v1beta1.JobTemplateSpec 1m11:metadata=ObjectMeta 2m621:spec
v1beta1.CronJobStatus 1[]m16?:active 4*m12?:lastScheduleTime 5*m12?:lastSuccessfulTime
v1beta1.CronJobList 1m20:metadata=ListMeta 2[]m635:items
v1.CertificateSigningRequest 1m11:metadata=ObjectMeta 2m641:spec 3m643:status
v1.CertificateSigningRequestSpec 1y:request 7s:signerName 8*i?:expirationSeconds 5[]s~[]v1.KeyUsage?:usages 2s?:username 3s?:uid=UID 4[]s?:groups 6{}m642?:extra
v1.ExtraValue!list 1[]s:items
v1.CertificateSigningRequestStatus 1[]m644?:conditions 2y?:certificate
v1.CertificateSigningRequestCondition 1s~v1.RequestConditionType:type 6s~v1.ConditionStatus:status 2s?:reason 3s?:message 4m12:lastUpdateTime 5m12:lastTransitionTime
v1.CertificateSigningRequestList 1m20:metadata=ListMeta 2[]m640:items
v1alpha1.ClusterTrustBundle 1m11:metadata=ObjectMeta 2m647:spec
v1alpha1.ClusterTrustBundleSpec 1s?:signerName 2s:trustBundle
v1alpha1.ClusterTrustBundleList 1m20:metadata=ListMeta 2[]m646:items
v1beta1.CertificateSigningRequest 1m11:metadata=ObjectMeta 2m650:spec 3m652:status
v1beta1.CertificateSigningRequestSpec 1y:request 7*s?:signerName 8*i?:expirationSeconds 5[]s~[]v1beta1.KeyUsage?:usages 2s?:username 3s?:uid=UID 4[]s?:groups 6{}m651?:extra
v1beta1.ExtraValue!list 1[]s:items
v1beta1.CertificateSigningRequestStatus 1[]m653?:conditions 2y?:certificate
v1beta1.CertificateSigningRequestCondition 1s~v1beta1.RequestConditionType:type 6s~v1.ConditionStatus:status 2s?:reason 3s?:message 4m12:lastUpdateTime 5m12:lastTransitionTime
v1beta1.CertificateSigningRequestList 1m20:metadata=ListMeta 2[]m649:items
v1beta1.ClusterTrustBundle 1m11:metadata=ObjectMeta 2m656:spec
v1beta1.ClusterTrustBundleSpec 1s?:signerName 2s:trustBundle
v1beta1.ClusterTrustBundleList 1m20:metadata=ListMeta 2[]m655:items
v1beta1.PodCertificateRequest 1m11:metadata=ObjectMeta 2m659:spec 3m660:status
v1beta1.PodCertificateRequestSpec 1s:signerName 2s:podName 3s~types.UID:podUID 4s:serviceAccountName 5s~types.UID:serviceAccountUID 6s~types.NodeName:nodeName 7s~types.UID:nodeUID 8*i?:maxExpirationSeconds 9y:pkixPublicKey=PKIXPublicKey 10y:proofOfPossession 12y:stubPKCS10Request 11{}s?:unverifiedUserAnnotations
v1beta1.PodCertificateRequestStatus 1[]m260?:conditions 2s?:certificateChain 4*m12?:notBefore 5*m12?:beginRefreshAt 6*m12?:notAfter
v1beta1.PodCertificateRequestList 1m20:metadata=ListMeta 2[]m658:items
v1.Lease 1m11:metadata=ObjectMeta 2m663:spec
v1.LeaseSpec 1*s?:holderIdentity 2*i?:leaseDurationSeconds 3*m34?:acquireTime 4*m34?:renewTime 5*i?:leaseTransitions 6*s~v1.CoordinatedLeaseStrategy?:strategy 7*s?:preferredHolder
v1.LeaseList 1m20:metadata=ListMeta 2[]m662:items
v1alpha2.LeaseCandidate 1m11:metadata=ObjectMeta 2m666:spec
v1alpha2.LeaseCandidateSpec 1s:leaseName 2*m34?:pingTime 3*m34?:renewTime 4s:binaryVersion 5s?:emulationVersion 6s~v1.CoordinatedLeaseStrategy?:strategy
v1alpha2.LeaseCandidateList 1m20:metadata=ListMeta 2[]m665:items
v1beta1.Lease 1m11:metadata=ObjectMeta 2m669:spec
v1beta1.LeaseSpec 1*s?:holderIdentity 2*i?:leaseDurationSeconds 3*m34?:acquireTime 4*m34?:renewTime 5*i?:leaseTransitions 6*s~v1.CoordinatedLeaseStrategy?:strategy 7*s?:preferredHolder
v1beta1.LeaseCandidate 1m11:metadata=ObjectMeta 2m671:spec
v1beta1.LeaseCandidateSpec 1s:leaseName 2*m34?:pingTime 3*m34?:renewTime 4s:binaryVersion 5s?:emulationVersion 6s~v1.CoordinatedLeaseStrategy?:strategy
v1beta1.LeaseCandidateList 1m20:metadata=ListMeta 2[]m670:items
v1beta1.LeaseList 1m20:metadata=ListMeta 2[]m668:items
v1.EndpointSlice 1m11:metadata=ObjectMeta 4s~v1.AddressType:addressType 2[]m675:endpoints 3[]m680:ports
v1.Endpoint 1[]s:addresses 2m676:conditions 3*s?:hostname 4*m16?:targetRef 5{}s?:deprecatedTopology 6*s?:nodeName 7*s?:zone 8*m677?:hints
v1.EndpointConditions 1*b?:ready 2*b?:serving 3*b?:terminating
v1.EndpointHints 1[]m678?:forZones 2[]m679?:forNodes
v1.ForZone 1s:name
v1.ForNode 1s:name
v1.EndpointPort 1*s?:name 2*s~v1.Protocol?:protocol 3*i?:port 4*s?:appProtocol
v1.EndpointSliceList 1m20:metadata=ListMeta 2[]m674:items
v1beta1.EndpointSlice 1m11:metadata=ObjectMeta 4s~v1beta1.AddressType:addressType 2[]m683:endpoints 3[]m688:ports
v1beta1.Endpoint 1[]s:addresses 2m684:conditions 3*s?:hostname 4*m16?:targetRef 5{}s?:topology 6*s?:nodeName 7*m685?:hints
v1beta1.EndpointConditions 1*b?:ready 2*b?:serving 3*b?:terminating
v1beta1.EndpointHints 1[]m686?:forZones 2[]m687?:forNodes
v1beta1.ForZone 1s:name
v1beta1.ForNode 1s:name
v1beta1.EndpointPort 1*s?:name 2*s~v1.Protocol?:protocol 3*i?:port 4*s?:appProtocol
v1beta1.EndpointSliceList 1m20:metadata=ListMeta 2[]m682:items
v1.Event 1m11:metadata=ObjectMeta 2m34:eventTime 3*m691?:series 4s?:reportingController 5s?:reportingInstance 6s?:action 7s?:reason 8m16:regarding 9*m16?:related 10s?:note 11s?:type 12m33:deprecatedSource 13m12:deprecatedFirstTimestamp 14m12:deprecatedLastTimestamp 15i?:deprecatedCount
v1.EventSeries 1i:count 2m34:lastObservedTime
v1.EventList 1m20:metadata=ListMeta 2[]m690:items
v1beta1.Event 1m11:metadata=ObjectMeta 2m34:eventTime 3*m694?:series 4s?:reportingController 5s?:reportingInstance 6s?:action 7s?:reason 8m16:regarding 9*m16?:related 10s?:note 11s?:type 12m33:deprecatedSource 13m12:deprecatedFirstTimestamp 14m12:deprecatedLastTimestamp 15i?:deprecatedCount
v1beta1.EventSeries 1i:count 2m34:lastObservedTime
v1beta1.EventList 1m20:metadata=ListMeta 2[]m693:items
v1beta1.DaemonSet 1m11:metadata=ObjectMeta 2m697:spec 3m700:status
v1beta1.DaemonSetSpec 1*m105?:selector 2m234:template 3m698:updateStrategy 4i?:minReadySeconds 5l?:templateGeneration 6*i?:revisionHistoryLimit
v1beta1.DaemonSetUpdateStrategy 1s~v1beta1.DaemonSetUpdateStrategyType?:type 2*m699?:rollingUpdate
v1beta1.RollingUpdateDaemonSet 1*m172?:maxUnavailable 2*m172?:maxSurge
v1beta1.DaemonSetStatus 1i:currentNumberScheduled 2i:numberMisscheduled 3i:desiredNumberScheduled 4i:numberReady 5l?:observedGeneration 6i?:updatedNumberScheduled 7i?:numberAvailable 8i?:numberUnavailable 9*i?:collisionCount 10[]m701?:conditions
v1beta1.DaemonSetCondition 1s~v1beta1.DaemonSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta1.DaemonSetList 1m20:metadata=ListMeta 2[]m696:items
v1beta1.Deployment 1m11:metadata=ObjectMeta 2m704:spec 3m708:status
v1beta1.DeploymentSpec 1*i?:replicas 2*m105?:selector 3m234:template 4m705:strategy 5i?:minReadySeconds 6*i?:revisionHistoryLimit 7b?:paused 8*m707?:rollbackTo 9*i?:progressDeadlineSeconds
v1beta1.DeploymentStrategy 1s~v1beta1.DeploymentStrategyType?:type 2*m706?:rollingUpdate
v1beta1.RollingUpdateDeployment 1*m172?:maxUnavailable 2*m172?:maxSurge
v1beta1.RollbackConfig 1l?:revision
v1beta1.DeploymentStatus 1l?:observedGeneration 2i?:replicas 3i?:updatedReplicas 7i?:readyReplicas 4i?:availableReplicas 5i?:unavailableReplicas 9*i?:terminatingReplicas 6[]m709?:conditions 8*i?:collisionCount
v1beta1.DeploymentCondition 1s~v1beta1.DeploymentConditionType:type 2s~v1.ConditionStatus:status 6m12:lastUpdateTime 7m12:lastTransitionTime 4s?:reason 5s?:message
v1beta1.DeploymentList 1m20:metadata=ListMeta 2[]m703:items
v1beta1.DeploymentRollback 1s:name 2{}s?:updatedAnnotations 3m707:rollbackTo
v1beta1.Ingress 1m11:metadata=ObjectMeta 2m713:spec 3m720:status
v1beta1.IngressSpec 4*s?:ingressClassName 1*m714?:backend 2[]m715?:tls=TLS 3[]m716?:rules
v1beta1.IngressBackend 1s?:serviceName 2m172:servicePort 3*m108?:resource
v1beta1.IngressTLS 1[]s?:hosts 2s?:secretName
v1beta1.IngressRule 1s?:host 2m717:=IngressRuleValue
v1beta1.IngressRuleValue 1*m718?:http=HTTP
v1beta1.HTTPIngressRuleValue 1[]m719:paths
v1beta1.HTTPIngressPath 1s?:path 3*s~v1beta1.PathType?:pathType 2m714:backend
v1beta1.IngressStatus 1m721:loadBalancer
v1beta1.IngressLoadBalancerStatus 1[]m722?:ingress
v1beta1.IngressLoadBalancerIngress 1s?:ip=IP 2s?:hostname 4[]m723?:ports
v1beta1.IngressPortStatus 1i:port 2s~v1.Protocol:protocol 3*s?:error
v1beta1.IngressList 1m20:metadata=ListMeta 2[]m712:items
v1beta1.NetworkPolicy 1m11:metadata=ObjectMeta 2m726:spec
v1beta1.NetworkPolicySpec 1m105:podSelector 2[]m727?:ingress 3[]m731?:egress 4[]s~[]v1beta1.PolicyType?:policyTypes
v1beta1.NetworkPolicyIngressRule 1[]m728?:ports 2[]m729?:from
v1beta1.NetworkPolicyPort 1*s~v1.Protocol?:protocol 2*m172?:port 3*i?:endPort
v1beta1.NetworkPolicyPeer 1*m105?:podSelector 2*m105?:namespaceSelector 3*m730?:ipBlock=IPBlock
v1beta1.IPBlock 1s:cidr=CIDR 2[]s?:except
v1beta1.NetworkPolicyEgressRule 1[]m728?:ports 2[]m729?:to
v1beta1.NetworkPolicyList 1m20:metadata=ListMeta 2[]m725:items
v1beta1.ReplicaSet 1m11:metadata=ObjectMeta 2m734:spec 3m735:status
v1beta1.ReplicaSetSpec 1*i?:replicas 4i?:minReadySeconds 2*m105?:selector 3m234:template
v1beta1.ReplicaSetStatus 1i:replicas 2i?:fullyLabeledReplicas 4i?:readyReplicas 5i?:availableReplicas 7*i?:terminatingReplicas 3l?:observedGeneration 6[]m736?:conditions
v1beta1.ReplicaSetCondition 1s~v1beta1.ReplicaSetConditionType:type 2s~v1.ConditionStatus:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta1.ReplicaSetList 1m20:metadata=ListMeta 2[]m733:items
v1beta1.Scale 1m11:metadata=ObjectMeta 2m739:spec 3m740:status
v1beta1.ScaleSpec 1i?:replicas
v1beta1.ScaleStatus 1i:replicas 2{}s?:selector 3s?:targetSelector
v1.FlowSchema 1m11:metadata=ObjectMeta 2m742:spec 3m752:status
v1.FlowSchemaSpec 1m743:priorityLevelConfiguration 2i:matchingPrecedence 3*m744?:distinguisherMethod 4[]m745?:rules
v1.PriorityLevelConfigurationReference 1s:name
v1.FlowDistinguisherMethod 1s~v1.FlowDistinguisherMethodType:type
v1.PolicyRulesWithSubjects 1[]m746:subjects 2[]m750?:resourceRules 3[]m751?:nonResourceRules
v1.Subject 1s~v1.SubjectKind:kind 2*m747?:user 3*m748?:group 4*m749?:serviceAccount
v1.UserSubject 1s:name
v1.GroupSubject 1s:name
v1.ServiceAccountSubject 1s:namespace 2s:name
v1.ResourcePolicyRule 1[]s:verbs 2[]s:apiGroups=APIGroups 3[]s:resources 4b?:clusterScope 5[]s:namespaces
v1.NonResourcePolicyRule 1[]s:verbs 6[]s:nonResourceURLs
v1.FlowSchemaStatus 1[]m753?:conditions
v1.FlowSchemaCondition 1s~v1.FlowSchemaConditionType?:type 2s~v1.ConditionStatus?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1.FlowSchemaList 1m20:metadata=ListMeta 2[]m741:items
v1.PriorityLevelConfiguration 1m11:metadata=ObjectMeta 2m756:spec 3m761:status
v1.PriorityLevelConfigurationSpec 1s~v1.PriorityLevelEnablement:type 2*m757?:limited 3*m760?:exempt
v1.LimitedPriorityLevelConfiguration 1*i:nominalConcurrencyShares 2m758:limitResponse 3*i?:lendablePercent 4*i?:borrowingLimitPercent
v1.LimitResponse 1s~v1.LimitResponseType:type 2*m759?:queuing
v1.QueuingConfiguration 1i:queues 2i:handSize 3i:queueLengthLimit
v1.ExemptPriorityLevelConfiguration 1*i?:nominalConcurrencyShares 2*i?:lendablePercent
v1.PriorityLevelConfigurationStatus 1[]m762?:conditions
v1.PriorityLevelConfigurationCondition 1s~v1.PriorityLevelConfigurationConditionType?:type 2s~v1.ConditionStatus?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1.PriorityLevelConfigurationList 1m20:metadata=ListMeta 2[]m755:items
v1beta1.FlowSchema 1m11:metadata=ObjectMeta 2m765:spec 3m775:status
v1beta1.FlowSchemaSpec 1m766:priorityLevelConfiguration 2i:matchingPrecedence 3*m767?:distinguisherMethod 4[]m768?:rules
v1beta1.PriorityLevelConfigurationReference 1s:name
v1beta1.FlowDistinguisherMethod 1s~v1beta1.FlowDistinguisherMethodType:type
v1beta1.PolicyRulesWithSubjects 1[]m769:subjects 2[]m773?:resourceRules 3[]m774?:nonResourceRules
v1beta1.Subject 1s~v1beta1.SubjectKind:kind 2*m770?:user 3*m771?:group 4*m772?:serviceAccount
v1beta1.UserSubject 1s:name
v1beta1.GroupSubject 1s:name
v1beta1.ServiceAccountSubject 1s:namespace 2s:name
v1beta1.ResourcePolicyRule 1[]s:verbs 2[]s:apiGroups=APIGroups 3[]s:resources 4b?:clusterScope 5[]s:namespaces
v1beta1.NonResourcePolicyRule 1[]s:verbs 6[]s:nonResourceURLs
v1beta1.FlowSchemaStatus 1[]m776?:conditions
v1beta1.FlowSchemaCondition 1s~v1beta1.FlowSchemaConditionType?:type 2s~v1beta1.ConditionStatus?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta1.FlowSchemaList 1m20:metadata=ListMeta 2[]m764:items
v1beta1.PriorityLevelConfiguration 1m11:metadata=ObjectMeta 2m779:spec 3m784:status
v1beta1.PriorityLevelConfigurationSpec 1s~v1beta1.PriorityLevelEnablement:type 2*m780?:limited 3*m783?:exempt
v1beta1.LimitedPriorityLevelConfiguration 1i:assuredConcurrencyShares 2m781:limitResponse 3*i?:lendablePercent 4*i?:borrowingLimitPercent
v1beta1.LimitResponse 1s~v1beta1.LimitResponseType:type 2*m782?:queuing
v1beta1.QueuingConfiguration 1i:queues 2i:handSize 3i:queueLengthLimit
v1beta1.ExemptPriorityLevelConfiguration 1*i?:nominalConcurrencyShares 2*i?:lendablePercent
v1beta1.PriorityLevelConfigurationStatus 1[]m785?:conditions
v1beta1.PriorityLevelConfigurationCondition 1s~v1beta1.PriorityLevelConfigurationConditionType?:type 2s~v1beta1.ConditionStatus?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta1.PriorityLevelConfigurationList 1m20:metadata=ListMeta 2[]m778:items
v1beta2.FlowSchema 1m11:metadata=ObjectMeta 2m788:spec 3m798:status
v1beta2.FlowSchemaSpec 1m789:priorityLevelConfiguration 2i:matchingPrecedence 3*m790?:distinguisherMethod 4[]m791?:rules
v1beta2.PriorityLevelConfigurationReference 1s:name
v1beta2.FlowDistinguisherMethod 1s~v1beta2.FlowDistinguisherMethodType:type
v1beta2.PolicyRulesWithSubjects 1[]m792:subjects 2[]m796?:resourceRules 3[]m797?:nonResourceRules
v1beta2.Subject 1s~v1beta2.SubjectKind:kind 2*m793?:user 3*m794?:group 4*m795?:serviceAccount
v1beta2.UserSubject 1s:name
v1beta2.GroupSubject 1s:name
v1beta2.ServiceAccountSubject 1s:namespace 2s:name
v1beta2.ResourcePolicyRule 1[]s:verbs 2[]s:apiGroups=APIGroups 3[]s:resources 4b?:clusterScope 5[]s:namespaces
v1beta2.NonResourcePolicyRule 1[]s:verbs 6[]s:nonResourceURLs
v1beta2.FlowSchemaStatus 1[]m799?:conditions
v1beta2.FlowSchemaCondition 1s~v1beta2.FlowSchemaConditionType?:type 2s~v1beta2.ConditionStatus?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta2.FlowSchemaList 1m20:metadata=ListMeta 2[]m787:items
v1beta2.PriorityLevelConfiguration 1m11:metadata=ObjectMeta 2m802:spec 3m807:status
v1beta2.PriorityLevelConfigurationSpec 1s~v1beta2.PriorityLevelEnablement:type 2*m803?:limited 3*m806?:exempt
v1beta2.LimitedPriorityLevelConfiguration 1i:assuredConcurrencyShares 2m804:limitResponse 3*i?:lendablePercent 4*i?:borrowingLimitPercent
v1beta2.LimitResponse 1s~v1beta2.LimitResponseType:type 2*m805?:queuing
v1beta2.QueuingConfiguration 1i:queues 2i:handSize 3i:queueLengthLimit
v1beta2.ExemptPriorityLevelConfiguration 1*i?:nominalConcurrencyShares 2*i?:lendablePercent
v1beta2.PriorityLevelConfigurationStatus 1[]m808?:conditions
v1beta2.PriorityLevelConfigurationCondition 1s~v1beta2.PriorityLevelConfigurationConditionType?:type 2s~v1beta2.ConditionStatus?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta2.PriorityLevelConfigurationList 1m20:metadata=ListMeta 2[]m801:items
v1beta3.FlowSchema 1m11:metadata=ObjectMeta 2m811:spec 3m821:status
v1beta3.FlowSchemaSpec 1m812:priorityLevelConfiguration 2i:matchingPrecedence 3*m813?:distinguisherMethod 4[]m814?:rules
v1beta3.PriorityLevelConfigurationReference 1s:name
v1beta3.FlowDistinguisherMethod 1s~v1beta3.FlowDistinguisherMethodType:type
v1beta3.PolicyRulesWithSubjects 1[]m815:subjects 2[]m819?:resourceRules 3[]m820?:nonResourceRules
v1beta3.Subject 1s~v1beta3.SubjectKind:kind 2*m816?:user 3*m817?:group 4*m818?:serviceAccount
v1beta3.UserSubject 1s:name
v1beta3.GroupSubject 1s:name
v1beta3.ServiceAccountSubject 1s:namespace 2s:name
v1beta3.ResourcePolicyRule 1[]s:verbs 2[]s:apiGroups=APIGroups 3[]s:resources 4b?:clusterScope 5[]s:namespaces
v1beta3.NonResourcePolicyRule 1[]s:verbs 6[]s:nonResourceURLs
v1beta3.FlowSchemaStatus 1[]m822?:conditions
v1beta3.FlowSchemaCondition 1s~v1beta3.FlowSchemaConditionType?:type 2s~v1beta3.ConditionStatus?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta3.FlowSchemaList 1m20:metadata=ListMeta 2[]m810:items
v1beta3.PriorityLevelConfiguration 1m11:metadata=ObjectMeta 2m825:spec 3m830:status
v1beta3.PriorityLevelConfigurationSpec 1s~v1beta3.PriorityLevelEnablement:type 2*m826?:limited 3*m829?:exempt
v1beta3.LimitedPriorityLevelConfiguration 1i:nominalConcurrencyShares 2m827:limitResponse 3*i?:lendablePercent 4*i?:borrowingLimitPercent
v1beta3.LimitResponse 1s~v1beta3.LimitResponseType:type 2*m828?:queuing
v1beta3.QueuingConfiguration 1i:queues 2i:handSize 3i:queueLengthLimit
v1beta3.ExemptPriorityLevelConfiguration 1*i?:nominalConcurrencyShares 2*i?:lendablePercent
v1beta3.PriorityLevelConfigurationStatus 1[]m831?:conditions
v1beta3.PriorityLevelConfigurationCondition 1s~v1beta3.PriorityLevelConfigurationConditionType?:type 2s~v1beta3.ConditionStatus?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
v1beta3.PriorityLevelConfigurationList 1m20:metadata=ListMeta 2[]m824:items
v1alpha1.ImageReview 1m11:metadata=ObjectMeta 2m834:spec 3m836:status
v1alpha1.ImageReviewSpec 1[]m835?:containers 2{}s?:annotations 3s?:namespace
v1alpha1.ImageReviewContainerSpec 1s?:image
v1alpha1.ImageReviewStatus 1b:allowed 2s?:reason 3{}s?:auditAnnotations
v1alpha1.StorageVersion 1m11:metadata=ObjectMeta 2m838:spec 3m839:status
v1alpha1.StorageVersionSpec
v1alpha1.StorageVersionStatus 1[]m840?:storageVersions 2*s?:commonEncodingVersion 3[]m841?:conditions
v1alpha1.ServerStorageVersion 1s?:apiServerID=APIServerID 2s?:encodingVersion 3[]s?:decodableVersions 4[]s?:servedVersions
v1alpha1.StorageVersionCondition 1s~v1alpha1.StorageVersionConditionType:type 2s~v1alpha1.ConditionStatus:status 3l?:observedGeneration 4m12:lastTransitionTime 5s:reason 6s?:message
v1alpha1.StorageVersionList 1m20:metadata=ListMeta 2[]m837:items
v1.PartialObjectMetadata 1m11:metadata=ObjectMeta
v1.PartialObjectMetadataList 1m20:metadata=ListMeta 2[]m843:items
v1.TableOptions 1s~v1.IncludeObjectPolicy?:includeObject
v1beta1.PartialObjectMetadataList 2m20:metadata=ListMeta 1[]m843:items
v1.IPAddress 1m11:metadata=ObjectMeta 2m848:spec
v1.IPAddressSpec 1*m849?:parentRef
v1.ParentReference 1s?:group 2s?:resource 3s?:namespace 4s?:name
v1.IPAddressList 1m20:metadata=ListMeta 2[]m847:items
v1.Ingress 1m11:metadata=ObjectMeta 2m852:spec 3m861:status
v1.IngressSpec 4*s?:ingressClassName 1*m853?:defaultBackend 2[]m856?:tls=TLS 3[]m857?:rules
v1.IngressBackend 4*m854?:service 3*m108?:resource
v1.IngressServiceBackend 1s:name 2m855:port
v1.ServiceBackendPort 1s?:name 2i?:number
v1.IngressTLS 1[]s?:hosts 2s?:secretName
v1.IngressRule 1s?:host 2m858:=IngressRuleValue
v1.IngressRuleValue 1*m859?:http=HTTP
v1.HTTPIngressRuleValue 1[]m860:paths
v1.HTTPIngressPath 1s?:path 3*s~v1.PathType:pathType 2m853:backend
v1.IngressStatus 1m862:loadBalancer
v1.IngressLoadBalancerStatus 1[]m863?:ingress
v1.IngressLoadBalancerIngress 1s?:ip=IP 2s?:hostname 4[]m864?:ports
v1.IngressPortStatus 1i:port 2s~v1.Protocol:protocol 3*s?:error
v1.IngressClass 1m11:metadata=ObjectMeta 2m866:spec
v1.IngressClassSpec 1s?:controller 2*m867?:parameters
v1.IngressClassParametersReference 1*s?:apiGroup=APIGroup 2s:kind 3s:name 4*s:scope 5*s?:namespace
v1.IngressClassList 1m20:metadata=ListMeta 2[]m865:items
v1.IngressList 1m20:metadata=ListMeta 2[]m851:items
v1.NetworkPolicy 1m11:metadata=ObjectMeta 2m871:spec
v1.NetworkPolicySpec 1m105:podSelector 2[]m872?:ingress 3[]m876?:egress 4[]s~[]v1.PolicyType?:policyTypes
v1.NetworkPolicyIngressRule 1[]m873?:ports 2[]m874?:from
v1.NetworkPolicyPort 1*s~v1.Protocol?:protocol 2*m172?:port 3*i?:endPort
v1.NetworkPolicyPeer 1*m105?:podSelector 2*m105?:namespaceSelector 3*m875?:ipBlock=IPBlock
v1.IPBlock 1s:cidr=CIDR 2[]s?:except
v1.NetworkPolicyEgressRule 1[]m873?:ports 2[]m874?:to
v1.NetworkPolicyList 1m20:metadata=ListMeta 2[]m870:items
v1.ServiceCIDR 1m11:metadata=ObjectMeta 2m879:spec 3m880:status
v1.ServiceCIDRSpec 1[]s?:cidrs=CIDRs
v1.ServiceCIDRStatus 1[]m260?:conditions
v1.ServiceCIDRList 1m20:metadata=ListMeta 2[]m878:items
v1beta1.IPAddress 1m11:metadata=ObjectMeta 2m883:spec
v1beta1.IPAddressSpec 1*m884?:parentRef
v1beta1.ParentReference 1s?:group 2s?:resource 3s?:namespace 4s?:name
v1beta1.IPAddressList 1m20:metadata=ListMeta 2[]m882:items
v1beta1.Ingress 1m11:metadata=ObjectMeta 2m887:spec 3m894:status
v1beta1.IngressSpec 4*s?:ingressClassName 1*m888?:backend 2[]m889?:tls=TLS 3[]m890?:rules
v1beta1.IngressBackend 1s?:serviceName 2m172:servicePort 3*m108?:resource
v1beta1.IngressTLS 1[]s?:hosts 2s?:secretName
v1beta1.IngressRule 1s?:host 2m891:=IngressRuleValue
v1beta1.IngressRuleValue 1*m892?:http=HTTP
v1beta1.HTTPIngressRuleValue 1[]m893:paths
v1beta1.HTTPIngressPath 1s?:path 3*s~v1beta1.PathType?:pathType 2m888:backend
v1beta1.IngressStatus 1m895:loadBalancer
v1beta1.IngressLoadBalancerStatus 1[]m896?:ingress
v1beta1.IngressLoadBalancerIngress 1s?:ip=IP 2s?:hostname 4[]m897?:ports
v1beta1.IngressPortStatus 1i:port 2s~v1.Protocol:protocol 3*s?:error
v1beta1.IngressClass 1m11:metadata=ObjectMeta 2m899:spec
v1beta1.IngressClassSpec 1s?:controller 2*m900?:parameters
v1beta1.IngressClassParametersReference 1*s?:apiGroup=APIGroup 2s:kind 3s:name 4*s:scope 5*s?:namespace
v1beta1.IngressClassList 1m20:metadata=ListMeta 2[]m898:items
v1beta1.IngressList 1m20:metadata=ListMeta 2[]m886:items
v1beta1.ServiceCIDR 1m11:metadata=ObjectMeta 2m904:spec 3m905:status
v1beta1.ServiceCIDRSpec 1[]s?:cidrs=CIDRs
v1beta1.ServiceCIDRStatus 1[]m260?:conditions
v1beta1.ServiceCIDRList 1m20:metadata=ListMeta 2[]m903:items
v1.RuntimeClass 1m11:metadata=ObjectMeta 2s:handler 3*m908?:overhead 4*m909?:scheduling
v1.Overhead 1{}m41~v1.ResourceList?:podFixed
v1.Scheduling 1{}s?:nodeSelector 2[]m196?:tolerations
v1.RuntimeClassList 1m20:metadata=ListMeta 2[]m907:items
v1alpha1.RuntimeClass 1m11:metadata=ObjectMeta 2m912:spec
v1alpha1.RuntimeClassSpec 1s:runtimeHandler 2*m913?:overhead 3*m914?:scheduling
v1alpha1.Overhead 1{}m41~v1.ResourceList?:podFixed
v1alpha1.Scheduling 1{}s?:nodeSelector 2[]m196?:tolerations
v1alpha1.RuntimeClassList 1m20:metadata=ListMeta 2[]m911:items
v1beta1.RuntimeClass 1m11:metadata=ObjectMeta 2s:handler 3*m917?:overhead 4*m918?:scheduling
v1beta1.Overhead 1{}m41~v1.ResourceList?:podFixed
v1beta1.Scheduling 1{}s?:nodeSelector 2[]m196?:tolerations
v1beta1.RuntimeClassList 1m20:metadata=ListMeta 2[]m916:items
v1.Eviction 1m11:metadata=ObjectMeta 2*m25?:deleteOptions
v1.PodDisruptionBudget 1m11:metadata=ObjectMeta 2m922:spec 3m923:status
v1.PodDisruptionBudgetSpec 1*m172?:minAvailable 2*m105?:selector 3*m172?:maxUnavailable 4*s~v1.UnhealthyPodEvictionPolicyType?:unhealthyPodEvictionPolicy
v1.PodDisruptionBudgetStatus 1l?:observedGeneration 2{}m12?:disruptedPods 3i:disruptionsAllowed 4i:currentHealthy 5i:desiredHealthy 6i:expectedPods 7[]m260?:conditions
v1.PodDisruptionBudgetList 1m20:metadata=ListMeta 2[]m921:items
v1beta1.Eviction 1m11:metadata=ObjectMeta 2*m25?:deleteOptions
v1beta1.PodDisruptionBudget 1m11:metadata=ObjectMeta 2m927:spec 3m928:status
v1beta1.PodDisruptionBudgetSpec 1*m172?:minAvailable 2*m105?:selector 3*m172?:maxUnavailable 4*s~v1beta1.UnhealthyPodEvictionPolicyType?:unhealthyPodEvictionPolicy
v1beta1.PodDisruptionBudgetStatus 1l?:observedGeneration 2{}m12?:disruptedPods 3i:disruptionsAllowed 4i:currentHealthy 5i:desiredHealthy 6i:expectedPods 7[]m260?:conditions
v1beta1.PodDisruptionBudgetList 1m20:metadata=ListMeta 2[]m926:items
v1.ClusterRole 1m11:metadata=ObjectMeta 2[]m931:rules 3*m932?:aggregationRule
v1.PolicyRule 1[]s:verbs 2[]s?:apiGroups=APIGroups 3[]s?:resources 4[]s?:resourceNames 5[]s?:nonResourceURLs
v1.AggregationRule 1[]m105?:clusterRoleSelectors
v1.ClusterRoleBinding 1m11:metadata=ObjectMeta 2[]m934?:subjects 3m935:roleRef
v1.Subject 1s:kind 2s?:apiGroup=APIGroup 3s:name 4s?:namespace
v1.RoleRef 1s:apiGroup=APIGroup 2s:kind 3s:name
v1.ClusterRoleBindingList 1m20:metadata=ListMeta 2[]m933:items
v1.ClusterRoleList 1m20:metadata=ListMeta 2[]m930:items
v1.Role 1m11:metadata=ObjectMeta 2[]m931:rules
v1.RoleBinding 1m11:metadata=ObjectMeta 2[]m934?:subjects 3m935:roleRef
v1.RoleBindingList 1m20:metadata=ListMeta 2[]m939:items
v1.RoleList 1m20:metadata=ListMeta 2[]m938:items
v1alpha1.ClusterRole 1m11:metadata=ObjectMeta 2[]m943:rules 3*m944?:aggregationRule
v1alpha1.PolicyRule 1[]s:verbs 3[]s?:apiGroups=APIGroups 4[]s?:resources 5[]s?:resourceNames 6[]s?:nonResourceURLs
v1alpha1.AggregationRule 1[]m105?:clusterRoleSelectors
v1alpha1.ClusterRoleBinding 1m11:metadata=ObjectMeta 2[]m946?:subjects 3m947:roleRef
v1alpha1.Subject 1s:kind 2s?:apiVersion=APIVersion 3s:name 4s?:namespace
v1alpha1.RoleRef 1s:apiGroup=APIGroup 2s:kind 3s:name
v1alpha1.ClusterRoleBindingList 1m20:metadata=ListMeta 2[]m945:items
v1alpha1.ClusterRoleList 1m20:metadata=ListMeta 2[]m942:items
v1alpha1.Role 1m11:metadata=ObjectMeta 2[]m943:rules
v1alpha1.RoleBinding 1m11:metadata=ObjectMeta 2[]m946?:subjects 3m947:roleRef
v1alpha1.RoleBindingList 1m20:metadata=ListMeta 2[]m951:items
v1alpha1.RoleList 1m20:metadata=ListMeta 2[]m950:items
v1beta1.ClusterRole 1m11:metadata=ObjectMeta 2[]m955:rules 3*m956?:aggregationRule
v1beta1.PolicyRule 1[]s:verbs 2[]s?:apiGroups=APIGroups 3[]s?:resources 4[]s?:resourceNames 5[]s?:nonResourceURLs
v1beta1.AggregationRule 1[]m105?:clusterRoleSelectors
v1beta1.ClusterRoleBinding 1m11:metadata=ObjectMeta 2[]m958?:subjects 3m959:roleRef
v1beta1.Subject 1s:kind 2s?:apiGroup=APIGroup 3s:name 4s?:namespace
v1beta1.RoleRef 1s:apiGroup=APIGroup 2s:kind 3s:name
v1beta1.ClusterRoleBindingList 1m20:metadata=ListMeta 2[]m957:items
v1beta1.ClusterRoleList 1m20:metadata=ListMeta 2[]m954:items
v1beta1.Role 1m11:metadata=ObjectMeta 2[]m955:rules
v1beta1.RoleBinding 1m11:metadata=ObjectMeta 2[]m958?:subjects 3m959:roleRef
v1beta1.RoleBindingList 1m20:metadata=ListMeta 2[]m963:items
v1beta1.RoleList 1m20:metadata=ListMeta 2[]m962:items
v1.DeviceClass 1m11:metadata=ObjectMeta 2m967:spec
v1.DeviceClassSpec 1[]m968?:selectors 2[]m970?:config 4*s?:extendedResourceName
v1.DeviceSelector 1*m969?:cel=CEL
v1.CELDeviceSelector 1s:expression
v1.DeviceClassConfiguration 1m971:=DeviceConfiguration
v1.DeviceConfiguration 1*m972?:opaque
v1.OpaqueDeviceConfiguration 1s:driver 2m44:parameters
v1.DeviceClassList 1m20:metadata=ListMeta 2[]m966:items
v1.ResourceClaim 1m11:metadata=ObjectMeta 2m975:spec 3m984:status
v1.ResourceClaimSpec 1m976:devices
v1.DeviceClaim 1[]m977:requests 2[]m982?:constraints 3[]m983?:config
v1.DeviceRequest 1s:name 2*m978?:exactly 3[]m981?:firstAvailable
v1.ExactDeviceRequest 1s:deviceClassName 2[]m968?:selectors 3s~v1.DeviceAllocationMode?:allocationMode 4l?:count 5*b?:adminAccess 6[]m979?:tolerations 7*m980?:capacity
v1.DeviceToleration 1s?:key 2s~v1.DeviceTolerationOperator?:operator 3s?:value 4s~v1.DeviceTaintEffect?:effect 5*l?:tolerationSeconds
v1.CapacityRequirements 1{}m41~map[v1.QualifiedName]resource.Quantity?:requests
v1.DeviceSubRequest 1s:name 2s:deviceClassName 3[]m968?:selectors 4s~v1.DeviceAllocationMode?:allocationMode 5l?:count 6[]m979?:tolerations 7*m980?:capacity
v1.DeviceConstraint 1[]s?:requests 2*s~v1.FullyQualifiedName?:matchAttribute 3*s~v1.FullyQualifiedName?:distinctAttribute
v1.DeviceClaimConfiguration 1[]s?:requests 2m971:=DeviceConfiguration
v1.ResourceClaimStatus 1*m985?:allocation 2[]m989?:reservedFor 4[]m990?:devices
v1.AllocationResult 1m986:devices 3*m99?:nodeSelector 5*m12?:allocationTimestamp
v1.DeviceAllocationResult 1[]m987?:results 2[]m988?:config
v1.DeviceRequestAllocationResult 1s:request 2s:driver 3s:pool 4s:device 5*b?:adminAccess 6[]m979?:tolerations 7[]s?:bindingConditions 8[]s?:bindingFailureConditions 9*s~types.UID?:shareID 10{}m41~map[v1.QualifiedName]resource.Quantity?:consumedCapacity
v1.DeviceAllocationConfiguration 1s~v1.AllocationConfigSource:source 2[]s?:requests 3m971:=DeviceConfiguration
v1.ResourceClaimConsumerReference 1s?:apiGroup=APIGroup 3s:resource 4s:name 5s~types.UID:uid=UID
v1.AllocatedDeviceStatus 1s:driver 2s:pool 3s:device 7*s?:shareID 4[]m260:conditions 5*m44?:data 6*m991?:networkData
v1.NetworkDeviceData 1s?:interfaceName 2[]s?:ips=IPs 3s?:hardwareAddress
v1.ResourceClaimList 1m20:metadata=ListMeta 2[]m974:items
v1.ResourceClaimTemplate 1m11:metadata=ObjectMeta 2m994:spec
v1.ResourceClaimTemplateSpec 1m11:metadata=ObjectMeta 2m975:spec
v1.ResourceClaimTemplateList 1m20:metadata=ListMeta 2[]m993:items
v1.ResourceSlice 1m11:metadata=ObjectMeta 2m997:spec
v1.ResourceSliceSpec 1s:driver 2m998:pool 3*s?:nodeName 4*m99?:nodeSelector 5*b?:allNodes 6[]m999?:devices 7*b?:perDeviceNodeSelection 8[]m1008?:sharedCounters
v1.ResourcePool 1s:name 2l:generation 3l:resourceSliceCount
v1.Device 1s:name 2{}m1000~map[v1.QualifiedName]v1.DeviceAttribute?:attributes 3{}m1001~map[v1.QualifiedName]v1.DeviceCapacity?:capacity 4[]m1004?:consumesCounters 5*s?:nodeName 6*m99?:nodeSelector 7*b?:allNodes 8[]m1006?:taints 9*b?:bindsToNode 10[]s?:bindingConditions 11[]s?:bindingFailureConditions 12*b?:allowMultipleAllocations 13{}m1007~map[v1.ResourceName]v1.NodeAllocatableResourceMapping?:nodeAllocatableResourceMappings
v1.DeviceAttribute 2*l?:int=IntValue 3*b?:bool=BoolValue 4*s?:string=StringValue 5*s?:version=VersionValue 6[]l?:ints=IntValues 7[]b?:bools=BoolValues 8[]s?:strings=StringValues 9[]s?:versions=VersionValues
v1.DeviceCapacity 1m41:value 2*m1002?:requestPolicy
v1.CapacityRequestPolicy 1*m41:default 3[]m41?:validValues 4*m1003?:validRange
v1.CapacityRequestPolicyRange 1*m41?:min 2*m41?:max 3*m41?:step
v1.DeviceCounterConsumption 1s:counterSet 2{}m1005?:counters
v1.Counter 1m41:value
v1.DeviceTaint 1s:key 2s?:value 3s~v1.DeviceTaintEffect:effect 4*m12?:timeAdded
v1.NodeAllocatableResourceMapping 1*s~v1.QualifiedName?:capacityKey 2*m41?:allocationMultiplier
v1.CounterSet 1s:name 2{}m1005?:counters
v1.ResourceSliceList 1m20:metadata=ListMeta 2[]m996:items
v1alpha3.DeviceTaintRule 1m11:metadata=ObjectMeta 2m1011:spec 3m1014:status
v1alpha3.DeviceTaintRuleSpec 1*m1012?:deviceSelector 2m1013:taint
v1alpha3.DeviceTaintSelector 2*s?:driver 3*s?:pool 4*s?:device
v1alpha3.DeviceTaint 1s:key 2s?:value 3s~v1alpha3.DeviceTaintEffect:effect 4*m12?:timeAdded
v1alpha3.DeviceTaintRuleStatus 1[]m260?:conditions
v1alpha3.DeviceTaintRuleList 1m20:metadata=ListMeta 2[]m1010:items
v1alpha3.ResourcePoolStatusRequest 1m11:metadata=ObjectMeta 2m1017:spec 3*m1018?:status
v1alpha3.ResourcePoolStatusRequestSpec 1s:driver 2*s?:poolName 3*i?:limit
v1alpha3.ResourcePoolStatusRequestStatus 6*i?:poolCount 2[]m1019?:pools 3[]m260?:conditions
v1alpha3.PoolStatus 1s?:driver 2s?:poolName 9l:generation 8*i?:resourceSliceCount 4*i?:totalDevices 5*i?:allocatedDevices 6*i?:availableDevices 7*i?:unavailableDevices 3*s?:nodeName 10*s?:validationError
v1alpha3.ResourcePoolStatusRequestList 1m20:metadata=ListMeta 2[]m1016:items
v1beta1.DeviceClass 1m11:metadata=ObjectMeta 2m1022:spec
v1beta1.DeviceClassSpec 1[]m1023?:selectors 2[]m1025?:config 4*s?:extendedResourceName
v1beta1.DeviceSelector 1*m1024?:cel=CEL
v1beta1.CELDeviceSelector 1s:expression
v1beta1.DeviceClassConfiguration 1m1026:=DeviceConfiguration
v1beta1.DeviceConfiguration 1*m1027?:opaque
v1beta1.OpaqueDeviceConfiguration 1s:driver 2m44:parameters
v1beta1.DeviceClassList 1m20:metadata=ListMeta 2[]m1021:items
v1beta1.ResourceClaim 1m11:metadata=ObjectMeta 2m1030:spec 3m1038:status
v1beta1.ResourceClaimSpec 1m1031:devices
v1beta1.DeviceClaim 1[]m1032:requests 2[]m1036?:constraints 3[]m1037?:config
v1beta1.DeviceRequest 1s:name 2s:deviceClassName 3[]m1023?:selectors 4s~v1beta1.DeviceAllocationMode?:allocationMode 5l?:count 6*b?:adminAccess 7[]m1033?:firstAvailable 8[]m1034?:tolerations 9*m1035?:capacity
v1beta1.DeviceSubRequest 1s:name 2s:deviceClassName 3[]m1023?:selectors 4s~v1beta1.DeviceAllocationMode?:allocationMode 5l?:count 7[]m1034?:tolerations 8*m1035?:capacity
v1beta1.DeviceToleration 1s?:key 2s~v1beta1.DeviceTolerationOperator?:operator 3s?:value 4s~v1beta1.DeviceTaintEffect?:effect 5*l?:tolerationSeconds
v1beta1.CapacityRequirements 1{}m41~map[v1beta1.QualifiedName]resource.Quantity?:requests
v1beta1.DeviceConstraint 1[]s?:requests 2*s~v1beta1.FullyQualifiedName?:matchAttribute 3*s~v1beta1.FullyQualifiedName?:distinctAttribute
v1beta1.DeviceClaimConfiguration 1[]s?:requests 2m1026:=DeviceConfiguration
v1beta1.ResourceClaimStatus 1*m1039?:allocation 2[]m1043?:reservedFor 4[]m1044?:devices
v1beta1.AllocationResult 1m1040:devices 3*m99?:nodeSelector 5*m12?:allocationTimestamp
v1beta1.DeviceAllocationResult 1[]m1041?:results 2[]m1042?:config
v1beta1.DeviceRequestAllocationResult 1s:request 2s:driver 3s:pool 4s:device 5*b?:adminAccess 6[]m1034?:tolerations 7[]s?:bindingConditions 8[]s?:bindingFailureConditions 9*s~types.UID?:shareID 10{}m41~map[v1beta1.QualifiedName]resource.Quantity?:consumedCapacity
v1beta1.DeviceAllocationConfiguration 1s~v1beta1.AllocationConfigSource:source 2[]s?:requests 3m1026:=DeviceConfiguration
v1beta1.ResourceClaimConsumerReference 1s?:apiGroup=APIGroup 3s:resource 4s:name 5s~types.UID:uid=UID
v1beta1.AllocatedDeviceStatus 1s:driver 2s:pool 3s:device 7*s?:shareID 4[]m260:conditions 5*m44?:data 6*m1045?:networkData
v1beta1.NetworkDeviceData 1s?:interfaceName 2[]s?:ips=IPs 3s?:hardwareAddress
v1beta1.ResourceClaimList 1m20:metadata=ListMeta 2[]m1029:items
v1beta1.ResourceClaimTemplate 1m11:metadata=ObjectMeta 2m1048:spec
v1beta1.ResourceClaimTemplateSpec 1m11:metadata=ObjectMeta 2m1030:spec
v1beta1.ResourceClaimTemplateList 1m20:metadata=ListMeta 2[]m1047:items
v1beta1.ResourceSlice 1m11:metadata=ObjectMeta 2m1051:spec
v1beta1.ResourceSliceSpec 1s:driver 2m1052:pool 3s?:nodeName 4*m99?:nodeSelector 5b?:allNodes 6[]m1053?:devices 7*b?:perDeviceNodeSelection 8[]m1063?:sharedCounters
v1beta1.ResourcePool 1s:name 2l:generation 3l:resourceSliceCount
v1beta1.Device 1s:name 2*m1054?:basic
v1beta1.BasicDevice 1{}m1055~map[v1beta1.QualifiedName]v1beta1.DeviceAttribute?:attributes 2{}m1056~map[v1beta1.QualifiedName]v1beta1.DeviceCapacity?:capacity 3[]m1059?:consumesCounters 4*s?:nodeName 5*m99?:nodeSelector 6*b?:allNodes 7[]m1061?:taints 8*b?:bindsToNode 9[]s?:bindingConditions 10[]s?:bindingFailureConditions 11*b?:allowMultipleAllocations 12{}m1062~map[v1.ResourceName]v1beta1.NodeAllocatableResourceMapping?:nodeAllocatableResourceMappings
v1beta1.DeviceAttribute 2*l?:int=IntValue 3*b?:bool=BoolValue 4*s?:string=StringValue 5*s?:version=VersionValue 6[]l?:ints=IntValues 7[]b?:bools=BoolValues 8[]s?:strings=StringValues 9[]s?:versions=VersionValues
v1beta1.DeviceCapacity 1m41:value 2*m1057?:requestPolicy
v1beta1.CapacityRequestPolicy 1*m41:default 3[]m41?:validValues 4*m1058?:validRange
v1beta1.CapacityRequestPolicyRange 1*m41?:min 2*m41?:max 3*m41?:step
v1beta1.DeviceCounterConsumption 1s:counterSet 2{}m1060?:counters
v1beta1.Counter 1m41:value
v1beta1.DeviceTaint 1s:key 2s?:value 3s~v1beta1.DeviceTaintEffect:effect 4*m12?:timeAdded
v1beta1.NodeAllocatableResourceMapping 1*s~v1beta1.QualifiedName?:capacityKey 2*m41?:allocationMultiplier
v1beta1.CounterSet 1s:name 2{}m1060?:counters
v1beta1.ResourceSliceList 1m20:metadata=ListMeta 2[]m1050:items
v1beta2.DeviceClass 1m11:metadata=ObjectMeta 2m1066:spec
v1beta2.DeviceClassSpec 1[]m1067?:selectors 2[]m1069?:config 4*s?:extendedResourceName
v1beta2.DeviceSelector 1*m1068?:cel=CEL
v1beta2.CELDeviceSelector 1s:expression
v1beta2.DeviceClassConfiguration 1m1070:=DeviceConfiguration
v1beta2.DeviceConfiguration 1*m1071?:opaque
v1beta2.OpaqueDeviceConfiguration 1s:driver 2m44:parameters
v1beta2.DeviceClassList 1m20:metadata=ListMeta 2[]m1065:items
v1beta2.DeviceTaintRule 1m11:metadata=ObjectMeta 2m1074:spec 3m1077:status
v1beta2.DeviceTaintRuleSpec 1*m1075?:deviceSelector 2m1076:taint
v1beta2.DeviceTaintSelector 2*s?:driver 3*s?:pool 4*s?:device
v1beta2.DeviceTaint 1s:key 2s?:value 3s~v1beta2.DeviceTaintEffect:effect 4*m12?:timeAdded
v1beta2.DeviceTaintRuleStatus 1[]m260?:conditions
v1beta2.DeviceTaintRuleList 1m20:metadata=ListMeta 2[]m1073:items
v1beta2.ResourceClaim 1m11:metadata=ObjectMeta 2m1080:spec 3m1089:status
v1beta2.ResourceClaimSpec 1m1081:devices
v1beta2.DeviceClaim 1[]m1082:requests 2[]m1087?:constraints 3[]m1088?:config
v1beta2.DeviceRequest 1s:name 2*m1083?:exactly 3[]m1086?:firstAvailable
v1beta2.ExactDeviceRequest 1s:deviceClassName 2[]m1067?:selectors 3s~v1beta2.DeviceAllocationMode?:allocationMode 4l?:count 5*b?:adminAccess 6[]m1084?:tolerations 7*m1085?:capacity
v1beta2.DeviceToleration 1s?:key 2s~v1beta2.DeviceTolerationOperator?:operator 3s?:value 4s~v1beta2.DeviceTaintEffect?:effect 5*l?:tolerationSeconds
v1beta2.CapacityRequirements 1{}m41~map[v1beta2.QualifiedName]resource.Quantity?:requests
v1beta2.DeviceSubRequest 1s:name 2s:deviceClassName 3[]m1067?:selectors 4s~v1beta2.DeviceAllocationMode?:allocationMode 5l?:count 6[]m1084?:tolerations 7*m1085?:capacity
v1beta2.DeviceConstraint 1[]s?:requests 2*s~v1beta2.FullyQualifiedName?:matchAttribute 3*s~v1beta2.FullyQualifiedName?:distinctAttribute
v1beta2.DeviceClaimConfiguration 1[]s?:requests 2m1070:=DeviceConfiguration
v1beta2.ResourceClaimStatus 1*m1090?:allocation 2[]m1094?:reservedFor 4[]m1095?:devices
v1beta2.AllocationResult 1m1091:devices 3*m99?:nodeSelector 5*m12?:allocationTimestamp
v1beta2.DeviceAllocationResult 1[]m1092?:results 2[]m1093?:config
v1beta2.DeviceRequestAllocationResult 1s:request 2s:driver 3s:pool 4s:device 5*b?:adminAccess 6[]m1084?:tolerations 7[]s?:bindingConditions 8[]s?:bindingFailureConditions 9*s~types.UID?:shareID 10{}m41~map[v1beta2.QualifiedName]resource.Quantity?:consumedCapacity
v1beta2.DeviceAllocationConfiguration 1s~v1beta2.AllocationConfigSource:source 2[]s?:requests 3m1070:=DeviceConfiguration
v1beta2.ResourceClaimConsumerReference 1s?:apiGroup=APIGroup 3s:resource 4s:name 5s~types.UID:uid=UID
v1beta2.AllocatedDeviceStatus 1s:driver 2s:pool 3s:device 7*s?:shareID 4[]m260:conditions 5*m44?:data 6*m1096?:networkData
v1beta2.NetworkDeviceData 1s?:interfaceName 2[]s?:ips=IPs 3s?:hardwareAddress
v1beta2.ResourceClaimList 1m20:metadata=ListMeta 2[]m1079:items
v1beta2.ResourceClaimTemplate 1m11:metadata=ObjectMeta 2m1099:spec
v1beta2.ResourceClaimTemplateSpec 1m11:metadata=ObjectMeta 2m1080:spec
v1beta2.ResourceClaimTemplateList 1m20:metadata=ListMeta 2[]m1098:items
v1beta2.ResourceSlice 1m11:metadata=ObjectMeta 2m1102:spec
v1beta2.ResourceSliceSpec 1s:driver 2m1103:pool 3*s?:nodeName 4*m99?:nodeSelector 5*b?:allNodes 6[]m1104?:devices 7*b?:perDeviceNodeSelection 8[]m1112?:sharedCounters
v1beta2.ResourcePool 1s:name 2l:generation 3l:resourceSliceCount
v1beta2.Device 1s:name 2{}m1105~map[v1beta2.QualifiedName]v1beta2.DeviceAttribute?:attributes 3{}m1106~map[v1beta2.QualifiedName]v1beta2.DeviceCapacity?:capacity 4[]m1109?:consumesCounters 5*s?:nodeName 6*m99?:nodeSelector 7*b?:allNodes 8[]m1076?:taints 9*b?:bindsToNode 10[]s?:bindingConditions 11[]s?:bindingFailureConditions 12*b?:allowMultipleAllocations 13{}m1111~map[v1.ResourceName]v1beta2.NodeAllocatableResourceMapping?:nodeAllocatableResourceMappings
v1beta2.DeviceAttribute 2*l?:int=IntValue 3*b?:bool=BoolValue 4*s?:string=StringValue 5*s?:version=VersionValue 6[]l?:ints=IntValues 7[]b?:bools=BoolValues 8[]s?:strings=StringValues 9[]s?:versions=VersionValues
v1beta2.DeviceCapacity 1m41:value 2*m1107?:requestPolicy
v1beta2.CapacityRequestPolicy 1*m41:default 3[]m41?:validValues 4*m1108?:validRange
v1beta2.CapacityRequestPolicyRange 1*m41?:min 2*m41?:max 3*m41?:step
v1beta2.DeviceCounterConsumption 1s:counterSet 2{}m1110?:counters
v1beta2.Counter 1m41:value
v1beta2.NodeAllocatableResourceMapping 1*s~v1beta2.QualifiedName?:capacityKey 2*m41?:allocationMultiplier
v1beta2.CounterSet 1s:name 2{}m1110?:counters
v1beta2.ResourceSliceList 1m20:metadata=ListMeta 2[]m1101:items
v1.PriorityClass 1m11:metadata=ObjectMeta 2i:value 3b?:globalDefault 4s?:description 5*s~v1.PreemptionPolicy?:preemptionPolicy
v1.PriorityClassList 1m20:metadata=ListMeta 2[]m1114:items
v1alpha2.PodGroup 1m11:metadata=ObjectMeta 2m1117:spec 3m1126:status
v1alpha2.PodGroupSpec 1*m1118:podGroupTemplateRef 2m1120:schedulingPolicy 3*m1123?:schedulingConstraints 4[]m1125?:resourceClaims 5*s~v1alpha2.DisruptionMode?:disruptionMode 6s?:priorityClassName 7*i?:priority
v1alpha2.PodGroupTemplateReference 1*m1119:workload
v1alpha2.WorkloadPodGroupTemplateReference 1s:workloadName 2s:podGroupTemplateName
v1alpha2.PodGroupSchedulingPolicy 1*m1121?:basic 2*m1122?:gang
v1alpha2.BasicSchedulingPolicy
v1alpha2.GangSchedulingPolicy 1i:minCount
v1alpha2.PodGroupSchedulingConstraints 1[]m1124?:topology
v1alpha2.TopologyConstraint 1s:key
v1alpha2.PodGroupResourceClaim 1s:name 2*s?:resourceClaimName 3*s?:resourceClaimTemplateName
v1alpha2.PodGroupStatus 1[]m260?:conditions 2[]m1127?:resourceClaimStatuses
v1alpha2.PodGroupResourceClaimStatus 1s:name 2*s?:resourceClaimName
v1alpha2.PodGroupList 1m20:metadata=ListMeta 2[]m1116:items
v1alpha2.Workload 1m11:metadata=ObjectMeta 2m1130:spec
v1alpha2.WorkloadSpec 1*m1131?:controllerRef 2[]m1132:podGroupTemplates
v1alpha2.TypedLocalObjectReference 1s?:apiGroup=APIGroup 2s:kind 3s:name
v1alpha2.PodGroupTemplate 1s:name 2m1120:schedulingPolicy 3*m1123:schedulingConstraints 4[]m1125?:resourceClaims 5*s~v1alpha2.DisruptionMode?:disruptionMode 6s?:priorityClassName 7*i?:priority
v1alpha2.WorkloadList 1m20:metadata=ListMeta 2[]m1129:items
v1beta1.PriorityClass 1m11:metadata=ObjectMeta 2i:value 3b?:globalDefault 4s?:description 5*s~v1.PreemptionPolicy?:preemptionPolicy
v1beta1.PriorityClassList 1m20:metadata=ListMeta 2[]m1134:items
v1.CSIDriver 1m11:metadata=ObjectMeta 2m1137:spec
v1.CSIDriverSpec 1*b?:attachRequired 2*b?:podInfoOnMount 3[]s~[]v1.VolumeLifecycleMode?:volumeLifecycleModes 4*b?:storageCapacity 5*s~v1.FSGroupPolicy?:fsGroupPolicy=FSGroupPolicy 6[]m1138?:tokenRequests 7*b?:requiresRepublish 8*b?:seLinuxMount=SELinuxMount 9*l?:nodeAllocatableUpdatePeriodSeconds 10*b?:serviceAccountTokenInSecrets 11*b?:preventPodSchedulingIfMissing
v1.TokenRequest 1s:audience 2*l?:expirationSeconds
v1.CSIDriverList 1m20:metadata=ListMeta 2[]m1136:items
v1.CSINode 1m11:metadata=ObjectMeta 2m1141:spec
v1.CSINodeSpec 1[]m1142:drivers
v1.CSINodeDriver 1s:name 2s:nodeID 3[]s:topologyKeys 4*m1143?:allocatable
v1.VolumeNodeResources 1*i?:count
v1.CSINodeList 1m20:metadata=ListMeta 2[]m1140:items
v1.CSIStorageCapacity 1m11:metadata=ObjectMeta 2*m105?:nodeTopology 3s:storageClassName 4*m41?:capacity 5*m41?:maximumVolumeSize
v1.CSIStorageCapacityList 1m20:metadata=ListMeta 2[]m1145:items
v1.StorageClass 1m11:metadata=ObjectMeta 2s:provisioner 3{}s?:parameters 4*s~v1.PersistentVolumeReclaimPolicy?:reclaimPolicy 5[]s?:mountOptions 6*b?:allowVolumeExpansion 7*s~v1.VolumeBindingMode?:volumeBindingMode 8[]m1148?:allowedTopologies
v1.TopologySelectorTerm 1[]m1149?:matchLabelExpressions
v1.TopologySelectorLabelRequirement 1s:key 2[]s:values
v1.StorageClassList 1m20:metadata=ListMeta 2[]m1147:items
v1.VolumeAttachment 1m11:metadata=ObjectMeta 2m1152:spec 3m1154:status
v1.VolumeAttachmentSpec 1s:attacher 2m1153:source 3s:nodeName
v1.VolumeAttachmentSource 1*s?:persistentVolumeName 2*m73?:inlineVolumeSpec
v1.VolumeAttachmentStatus 1b:attached 2{}s?:attachmentMetadata 3*m1155?:attachError 4*m1155?:detachError
v1.VolumeError 1m12:time 2s?:message 3*i?:errorCode
v1.VolumeAttachmentList 1m20:metadata=ListMeta 2[]m1151:items
v1.VolumeAttributesClass 1m11:metadata=ObjectMeta 2s:driverName 3{}s?:parameters
v1.VolumeAttributesClassList 1m20:metadata=ListMeta 2[]m1157:items
v1alpha1.CSIStorageCapacity 1m11:metadata=ObjectMeta 2*m105?:nodeTopology 3s:storageClassName 4*m41?:capacity 5*m41?:maximumVolumeSize
v1alpha1.CSIStorageCapacityList 1m20:metadata=ListMeta 2[]m1159:items
v1alpha1.VolumeAttachment 1m11:metadata=ObjectMeta 2m1162:spec 3m1164:status
v1alpha1.VolumeAttachmentSpec 1s:attacher 2m1163:source 3s:nodeName
v1alpha1.VolumeAttachmentSource 1*s?:persistentVolumeName 2*m73?:inlineVolumeSpec
v1alpha1.VolumeAttachmentStatus 1b:attached 2{}s?:attachmentMetadata 3*m1165?:attachError 4*m1165?:detachError
v1alpha1.VolumeError 1m12:time 2s?:message 3*i?:errorCode
v1alpha1.VolumeAttachmentList 1m20:metadata=ListMeta 2[]m1161:items
v1alpha1.VolumeAttributesClass 1m11:metadata=ObjectMeta 2s:driverName 3{}s?:parameters
v1alpha1.VolumeAttributesClassList 1m20:metadata=ListMeta 2[]m1167:items
v1beta1.CSIDriver 1m11:metadata=ObjectMeta 2m1170:spec
v1beta1.CSIDriverSpec 1*b?:attachRequired 2*b?:podInfoOnMount 3[]s~[]v1beta1.VolumeLifecycleMode?:volumeLifecycleModes 4*b?:storageCapacity 5*s~v1beta1.FSGroupPolicy?:fsGroupPolicy=FSGroupPolicy 6[]m1171?:tokenRequests 7*b?:requiresRepublish 8*b?:seLinuxMount=SELinuxMount 9*l?:nodeAllocatableUpdatePeriodSeconds 10*b?:serviceAccountTokenInSecrets 11*b?:preventPodSchedulingIfMissing
v1beta1.TokenRequest 1s:audience 2*l?:expirationSeconds
v1beta1.CSIDriverList 1m20:metadata=ListMeta 2[]m1169:items
v1beta1.CSINode 1m11:metadata=ObjectMeta 2m1174:spec
v1beta1.CSINodeSpec 1[]m1175:drivers
v1beta1.CSINodeDriver 1s:name 2s:nodeID 3[]s:topologyKeys 4*m1176?:allocatable
v1beta1.VolumeNodeResources 1*i?:count
v1beta1.CSINodeList 1m20:metadata=ListMeta 2[]m1173:items
v1beta1.CSIStorageCapacity 1m11:metadata=ObjectMeta 2*m105?:nodeTopology 3s:storageClassName 4*m41?:capacity 5*m41?:maximumVolumeSize
v1beta1.CSIStorageCapacityList 1m20:metadata=ListMeta 2[]m1178:items
v1beta1.StorageClass 1m11:metadata=ObjectMeta 2s:provisioner 3{}s?:parameters 4*s~v1.PersistentVolumeReclaimPolicy?:reclaimPolicy 5[]s?:mountOptions 6*b?:allowVolumeExpansion 7*s~v1beta1.VolumeBindingMode?:volumeBindingMode 8[]m1148?:allowedTopologies
v1beta1.StorageClassList 1m20:metadata=ListMeta 2[]m1180:items
v1beta1.VolumeAttachment 1m11:metadata=ObjectMeta 2m1183:spec 3m1185:status
v1beta1.VolumeAttachmentSpec 1s:attacher 2m1184:source 3s:nodeName
v1beta1.VolumeAttachmentSource 1*s?:persistentVolumeName 2*m73?:inlineVolumeSpec
v1beta1.VolumeAttachmentStatus 1b:attached 2{}s?:attachmentMetadata 3*m1186?:attachError 4*m1186?:detachError
v1beta1.VolumeError 1m12:time 2s?:message 3*i?:errorCode
v1beta1.VolumeAttachmentList 1m20:metadata=ListMeta 2[]m1182:items
v1beta1.VolumeAttributesClass 1m11:metadata=ObjectMeta 2s:driverName 3{}s?:parameters
v1beta1.VolumeAttributesClassList 1m20:metadata=ListMeta 2[]m1188:items
v1beta1.StorageVersionMigration 1m11:metadata=ObjectMeta 2m1191:spec 3m1193:status
v1beta1.StorageVersionMigrationSpec 1m1192:resource
v1.GroupResource 1s:group 2s:resource
v1beta1.StorageVersionMigrationStatus 1[]m260?:conditions 2s?:resourceVersion
v1beta1.StorageVersionMigrationList 1m20:metadata=ListMeta 2[]m1190:items

* APIGroup=2 APIGroupList=5 APIResourceList=6 APIVersions=9 Status=265
v1 Binding=10 ComponentStatus=17 ComponentStatusList=19 ConfigMap=22 ConfigMapList=23 CreateOptions=24 DeleteOptions=25 Endpoints=27 EndpointsList=31 Event=32 EventList=36 GetOptions=37 LimitRange=38 LimitRangeList=42 List=43 ListOptions=45 Namespace=46 NamespaceList=50 Node=51 NodeList=69 NodeProxyOptions=70 PatchOptions=71 PersistentVolume=72 PersistentVolumeClaim=103 PersistentVolumeClaimList=113 PersistentVolumeList=114 Pod=115 PodAttachOptions=226 PodExecOptions=227 PodList=228 PodLogOptions=229 PodPortForwardOptions=230 PodProxyOptions=231 PodStatusResult=232 PodTemplate=233 PodTemplateList=235 RangeAllocation=236 ReplicationController=237 ReplicationControllerList=241 ResourceQuota=242 ResourceQuotaList=247 Secret=248 SecretList=249 SerializedReference=250 Service=251 ServiceAccount=261 ServiceAccountList=262 ServiceList=263 ServiceProxyOptions=264 UpdateOptions=268 WatchEvent=269
admission.k8s.io/v1 AdmissionReview=270 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
admission.k8s.io/v1beta1 AdmissionReview=277 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
admissionregistration.k8s.io/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 MutatingAdmissionPolicy=280 MutatingAdmissionPolicyBinding=292 MutatingAdmissionPolicyBindingList=295 MutatingAdmissionPolicyList=296 MutatingWebhookConfiguration=297 MutatingWebhookConfigurationList=301 PatchOptions=71 UpdateOptions=268 ValidatingAdmissionPolicy=302 ValidatingAdmissionPolicyBinding=309 ValidatingAdmissionPolicyBindingList=311 ValidatingAdmissionPolicyList=312 ValidatingWebhookConfiguration=313 ValidatingWebhookConfigurationList=315 WatchEvent=269
admissionregistration.k8s.io/v1alpha1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 MutatingAdmissionPolicy=316 MutatingAdmissionPolicyBinding=326 MutatingAdmissionPolicyBindingList=329 MutatingAdmissionPolicyList=330 PatchOptions=71 UpdateOptions=268 ValidatingAdmissionPolicy=331 ValidatingAdmissionPolicyBinding=338 ValidatingAdmissionPolicyBindingList=340 ValidatingAdmissionPolicyList=341 WatchEvent=269
admissionregistration.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 MutatingAdmissionPolicy=342 MutatingAdmissionPolicyBinding=352 MutatingAdmissionPolicyBindingList=355 MutatingAdmissionPolicyList=356 MutatingWebhookConfiguration=357 MutatingWebhookConfigurationList=361 PatchOptions=71 UpdateOptions=268 ValidatingAdmissionPolicy=362 ValidatingAdmissionPolicyBinding=369 ValidatingAdmissionPolicyBindingList=371 ValidatingAdmissionPolicyList=372 ValidatingWebhookConfiguration=373 ValidatingWebhookConfigurationList=375 WatchEvent=269
apidiscovery.k8s.io/v2 APIGroupDiscovery=376 APIGroupDiscoveryList=380 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
apidiscovery.k8s.io/v2beta1 APIGroupDiscovery=381 APIGroupDiscoveryList=385 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
apiextensions.k8s.io/v1 ConversionReview=386 CreateOptions=24 CustomResourceDefinition=389 CustomResourceDefinitionList=412 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
apiextensions.k8s.io/v1beta1 ConversionReview=413 CreateOptions=24 CustomResourceDefinition=416 CustomResourceDefinitionList=438 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
apiregistration.k8s.io/v1 APIService=439 APIServiceList=444 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
apiregistration.k8s.io/v1beta1 APIService=445 APIServiceList=450 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
apps/v1 ControllerRevision=451 ControllerRevisionList=452 CreateOptions=24 DaemonSet=453 DaemonSetList=459 DeleteOptions=25 Deployment=460 DeploymentList=466 GetOptions=37 ListOptions=45 PatchOptions=71 ReplicaSet=467 ReplicaSetList=471 StatefulSet=472 StatefulSetList=480 UpdateOptions=268 WatchEvent=269
apps/v1beta1 ControllerRevision=481 ControllerRevisionList=482 CreateOptions=24 DeleteOptions=25 Deployment=483 DeploymentList=490 DeploymentRollback=491 GetOptions=37 ListOptions=45 PatchOptions=71 Scale=492 StatefulSet=495 StatefulSetList=503 UpdateOptions=268 WatchEvent=269
apps/v1beta2 ControllerRevision=504 ControllerRevisionList=505 CreateOptions=24 DaemonSet=506 DaemonSetList=512 DeleteOptions=25 Deployment=513 DeploymentList=519 GetOptions=37 ListOptions=45 PatchOptions=71 ReplicaSet=520 ReplicaSetList=524 Scale=525 StatefulSet=528 StatefulSetList=536 UpdateOptions=268 WatchEvent=269
authentication.k8s.io/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 SelfSubjectReview=537 TokenRequest=539 TokenReview=543 UpdateOptions=268 WatchEvent=269
authentication.k8s.io/v1alpha1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 SelfSubjectReview=546 UpdateOptions=268 WatchEvent=269
authentication.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 SelfSubjectReview=548 TokenReview=550 UpdateOptions=268 WatchEvent=269
authorization.k8s.io/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 LocalSubjectAccessReview=555 PatchOptions=71 SelfSubjectAccessReview=564 SelfSubjectRulesReview=566 SubjectAccessReview=571 UpdateOptions=268 WatchEvent=269
authorization.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 LocalSubjectAccessReview=572 PatchOptions=71 SelfSubjectAccessReview=578 SelfSubjectRulesReview=580 SubjectAccessReview=585 UpdateOptions=268 WatchEvent=269
autoscaling/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 HorizontalPodAutoscaler=586 HorizontalPodAutoscalerList=590 ListOptions=45 PatchOptions=71 Scale=591 UpdateOptions=268 WatchEvent=269
autoscaling/v2 CreateOptions=24 DeleteOptions=25 GetOptions=37 HorizontalPodAutoscaler=594 HorizontalPodAutoscalerList=617 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
batch/v1 CreateOptions=24 CronJob=618 CronJobList=629 DeleteOptions=25 GetOptions=37 Job=630 JobList=634 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
batch/v1beta1 CreateOptions=24 CronJob=635 CronJobList=639 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
certificates.k8s.io/v1 CertificateSigningRequest=640 CertificateSigningRequestList=645 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
certificates.k8s.io/v1alpha1 ClusterTrustBundle=646 ClusterTrustBundleList=648 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
certificates.k8s.io/v1beta1 CertificateSigningRequest=649 CertificateSigningRequestList=654 ClusterTrustBundle=655 ClusterTrustBundleList=657 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 PodCertificateRequest=658 PodCertificateRequestList=661 UpdateOptions=268 WatchEvent=269
coordination.k8s.io/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 Lease=662 LeaseList=664 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
coordination.k8s.io/v1alpha2 CreateOptions=24 DeleteOptions=25 GetOptions=37 LeaseCandidate=665 LeaseCandidateList=667 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
coordination.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 GetOptions=37 Lease=668 LeaseCandidate=670 LeaseCandidateList=672 LeaseList=673 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
discovery.k8s.io/v1 CreateOptions=24 DeleteOptions=25 EndpointSlice=674 EndpointSliceList=681 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
discovery.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 EndpointSlice=682 EndpointSliceList=689 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
events.k8s.io/v1 CreateOptions=24 DeleteOptions=25 Event=690 EventList=692 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
events.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 Event=693 EventList=695 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
extensions/v1beta1 CreateOptions=24 DaemonSet=696 DaemonSetList=702 DeleteOptions=25 Deployment=703 DeploymentList=710 DeploymentRollback=711 GetOptions=37 Ingress=712 IngressList=724 ListOptions=45 NetworkPolicy=725 NetworkPolicyList=732 PatchOptions=71 ReplicaSet=733 ReplicaSetList=737 Scale=738 UpdateOptions=268 WatchEvent=269
flowcontrol.apiserver.k8s.io/v1 CreateOptions=24 DeleteOptions=25 FlowSchema=741 FlowSchemaList=754 GetOptions=37 ListOptions=45 PatchOptions=71 PriorityLevelConfiguration=755 PriorityLevelConfigurationList=763 UpdateOptions=268 WatchEvent=269
flowcontrol.apiserver.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 FlowSchema=764 FlowSchemaList=777 GetOptions=37 ListOptions=45 PatchOptions=71 PriorityLevelConfiguration=778 PriorityLevelConfigurationList=786 UpdateOptions=268 WatchEvent=269
flowcontrol.apiserver.k8s.io/v1beta2 CreateOptions=24 DeleteOptions=25 FlowSchema=787 FlowSchemaList=800 GetOptions=37 ListOptions=45 PatchOptions=71 PriorityLevelConfiguration=801 PriorityLevelConfigurationList=809 UpdateOptions=268 WatchEvent=269
flowcontrol.apiserver.k8s.io/v1beta3 CreateOptions=24 DeleteOptions=25 FlowSchema=810 FlowSchemaList=823 GetOptions=37 ListOptions=45 PatchOptions=71 PriorityLevelConfiguration=824 PriorityLevelConfigurationList=832 UpdateOptions=268 WatchEvent=269
imagepolicy.k8s.io/v1alpha1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ImageReview=833 ListOptions=45 PatchOptions=71 UpdateOptions=268 WatchEvent=269
internal.apiserver.k8s.io/v1alpha1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 StorageVersion=837 StorageVersionList=842 UpdateOptions=268 WatchEvent=269
meta.k8s.io/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PartialObjectMetadata=843 PartialObjectMetadataList=844 PatchOptions=71 TableOptions=845 UpdateOptions=268 WatchEvent=269
meta.k8s.io/v1beta1 PartialObjectMetadata=843 PartialObjectMetadataList=846 TableOptions=845
networking.k8s.io/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 IPAddress=847 IPAddressList=850 Ingress=851 IngressClass=865 IngressClassList=868 IngressList=869 ListOptions=45 NetworkPolicy=870 NetworkPolicyList=877 PatchOptions=71 ServiceCIDR=878 ServiceCIDRList=881 UpdateOptions=268 WatchEvent=269
networking.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 GetOptions=37 IPAddress=882 IPAddressList=885 Ingress=886 IngressClass=898 IngressClassList=901 IngressList=902 ListOptions=45 PatchOptions=71 ServiceCIDR=903 ServiceCIDRList=906 UpdateOptions=268 WatchEvent=269
node.k8s.io/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 RuntimeClass=907 RuntimeClassList=910 UpdateOptions=268 WatchEvent=269
node.k8s.io/v1alpha1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 RuntimeClass=911 RuntimeClassList=915 UpdateOptions=268 WatchEvent=269
node.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 RuntimeClass=916 RuntimeClassList=919 UpdateOptions=268 WatchEvent=269
policy/v1 CreateOptions=24 DeleteOptions=25 Eviction=920 GetOptions=37 ListOptions=45 PatchOptions=71 PodDisruptionBudget=921 PodDisruptionBudgetList=924 UpdateOptions=268 WatchEvent=269
policy/v1beta1 CreateOptions=24 DeleteOptions=25 Eviction=925 GetOptions=37 ListOptions=45 PatchOptions=71 PodDisruptionBudget=926 PodDisruptionBudgetList=929 UpdateOptions=268 WatchEvent=269
rbac.authorization.k8s.io/v1 ClusterRole=930 ClusterRoleBinding=933 ClusterRoleBindingList=936 ClusterRoleList=937 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 Role=938 RoleBinding=939 RoleBindingList=940 RoleList=941 UpdateOptions=268 WatchEvent=269
rbac.authorization.k8s.io/v1alpha1 ClusterRole=942 ClusterRoleBinding=945 ClusterRoleBindingList=948 ClusterRoleList=949 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 Role=950 RoleBinding=951 RoleBindingList=952 RoleList=953 UpdateOptions=268 WatchEvent=269
rbac.authorization.k8s.io/v1beta1 ClusterRole=954 ClusterRoleBinding=957 ClusterRoleBindingList=960 ClusterRoleList=961 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 Role=962 RoleBinding=963 RoleBindingList=964 RoleList=965 UpdateOptions=268 WatchEvent=269
resource.k8s.io/v1 CreateOptions=24 DeleteOptions=25 DeviceClass=966 DeviceClassList=973 GetOptions=37 ListOptions=45 PatchOptions=71 ResourceClaim=974 ResourceClaimList=992 ResourceClaimTemplate=993 ResourceClaimTemplateList=995 ResourceSlice=996 ResourceSliceList=1009 UpdateOptions=268 WatchEvent=269
resource.k8s.io/v1alpha3 CreateOptions=24 DeleteOptions=25 DeviceTaintRule=1010 DeviceTaintRuleList=1015 GetOptions=37 ListOptions=45 PatchOptions=71 ResourcePoolStatusRequest=1016 ResourcePoolStatusRequestList=1020 UpdateOptions=268 WatchEvent=269
resource.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 DeviceClass=1021 DeviceClassList=1028 GetOptions=37 ListOptions=45 PatchOptions=71 ResourceClaim=1029 ResourceClaimList=1046 ResourceClaimTemplate=1047 ResourceClaimTemplateList=1049 ResourceSlice=1050 ResourceSliceList=1064 UpdateOptions=268 WatchEvent=269
resource.k8s.io/v1beta2 CreateOptions=24 DeleteOptions=25 DeviceClass=1065 DeviceClassList=1072 DeviceTaintRule=1073 DeviceTaintRuleList=1078 GetOptions=37 ListOptions=45 PatchOptions=71 ResourceClaim=1079 ResourceClaimList=1097 ResourceClaimTemplate=1098 ResourceClaimTemplateList=1100 ResourceSlice=1101 ResourceSliceList=1113 UpdateOptions=268 WatchEvent=269
scheduling.k8s.io/v1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 PriorityClass=1114 PriorityClassList=1115 UpdateOptions=268 WatchEvent=269
scheduling.k8s.io/v1alpha2 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 PodGroup=1116 PodGroupList=1128 UpdateOptions=268 WatchEvent=269 Workload=1129 WorkloadList=1133
scheduling.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 PriorityClass=1134 PriorityClassList=1135 UpdateOptions=268 WatchEvent=269
storage.k8s.io/v1 CSIDriver=1136 CSIDriverList=1139 CSINode=1140 CSINodeList=1144 CSIStorageCapacity=1145 CSIStorageCapacityList=1146 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 StorageClass=1147 StorageClassList=1150 UpdateOptions=268 VolumeAttachment=1151 VolumeAttachmentList=1156 VolumeAttributesClass=1157 VolumeAttributesClassList=1158 WatchEvent=269
storage.k8s.io/v1alpha1 CSIStorageCapacity=1159 CSIStorageCapacityList=1160 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 UpdateOptions=268 VolumeAttachment=1161 VolumeAttachmentList=1166 VolumeAttributesClass=1167 VolumeAttributesClassList=1168 WatchEvent=269
storage.k8s.io/v1beta1 CSIDriver=1169 CSIDriverList=1172 CSINode=1173 CSINodeList=1177 CSIStorageCapacity=1178 CSIStorageCapacityList=1179 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 StorageClass=1180 StorageClassList=1181 UpdateOptions=268 VolumeAttachment=1182 VolumeAttachmentList=1187 VolumeAttributesClass=1188 VolumeAttributesClassList=1189 WatchEvent=269
storagemigration.k8s.io/v1beta1 CreateOptions=24 DeleteOptions=25 GetOptions=37 ListOptions=45 PatchOptions=71 StorageVersionMigration=1190 StorageVersionMigrationList=1194 UpdateOptions=268 WatchEvent=269
`;
