// Made from Kubernetes' Go types by protobuf/schema.build.ts; the protobuf suite on the bed holds it to that.
export const protobufSchema = `Unknown 1m1:=TypeMeta 2y:-=Raw 3s:ContentEncoding 4s:ContentType
TypeMeta 1s?:apiVersion=APIVersion 2s?:kind
APIGroup 1s:name 2[]m3:versions 3m3:preferredVersion 4[]m4?:serverAddressByClientCIDRs
GroupVersionForDiscovery 1s:groupVersion 2s:version
ServerAddressByClientCIDR 1s:clientCIDR 2s:serverAddress
APIGroupList 1[]m2:groups
APIResourceList 1s:groupVersion 2[]m7:resources=APIResources
APIResource 1s:name 6s:singularName 2b:namespaced 8s?:group 9s?:version 3s:kind 4m8:verbs 5[]s?:shortNames 7[]s?:categories 10s?:storageVersionHash
Verbs!list 1[]s:items
APIVersions 1[]s:versions 2[]m4:serverAddressByClientCIDRs
Binding 1m11:metadata=ObjectMeta 2m16:target
ObjectMeta 1s?:name 2s?:generateName 3s?:namespace 4s?:selfLink 5s?:uid=UID 6s?:resourceVersion 7l?:generation 8m12!:creationTimestamp 9*m12?:deletionTimestamp 10*l?:deletionGracePeriodSeconds 11{}s?:labels 12{}s?:annotations 13[]m13?:ownerReferences 14[]s?:finalizers 17[]m14?:managedFields
Timestamp!time 1l:seconds 2i:nanos
OwnerReference 5s:apiVersion=APIVersion 1s:kind 3s:name 4s:uid=UID 6*b?:controller 7*b?:blockOwnerDeletion
ManagedFieldsEntry 1s?:manager 2s?:operation 3s?:apiVersion=APIVersion 4*m12?:time 6s?:fieldsType 7*m15?:fieldsV1 8s?:subresource
FieldsV1!raw 1y:raw
ObjectReference 1s?:kind 2s?:namespace 3s?:name 4s?:uid=UID 5s?:apiVersion=APIVersion 6s?:resourceVersion 7s?:fieldPath
ComponentStatus 1m11:metadata=ObjectMeta 2[]m18?:conditions
ComponentCondition 1s:type 2s:status 3s?:message 4s?:error
ComponentStatusList 1m20:metadata=ListMeta 2[]m17:items
ListMeta 1s?:selfLink 2s?:resourceVersion 3s?:continue 4*l?:remainingItemCount 5*m21?:shardInfo
ShardInfo 1s:selector
ConfigMap 1m11:metadata=ObjectMeta 4*b?:immutable 2{}s?:data 3{}y?:binaryData
ConfigMapList 1m20:metadata=ListMeta 2[]m22:items
CreateOptions 1[]s?:dryRun 3s?:fieldManager 4s?:fieldValidation
DeleteOptions 1*l?:gracePeriodSeconds 2*m26?:preconditions 3*b?:orphanDependents 4*s?:propagationPolicy 5[]s?:dryRun 6*b?:ignoreStoreReadErrorWithClusterBreakingPotential
Preconditions 1*s?:uid=UID 2*s?:resourceVersion
Endpoints 1m11:metadata=ObjectMeta 2[]m28?:subsets
EndpointSubset 1[]m29?:addresses 2[]m29?:notReadyAddresses 3[]m30?:ports
EndpointAddress 1s:ip=IP 3s?:hostname 4*s?:nodeName 2*m16?:targetRef
EndpointPort 1s?:name 2i:port 3s?:protocol 4*s?:appProtocol
EndpointsList 1m20:metadata=ListMeta 2[]m27:items
Event 1m11:metadata=ObjectMeta 2m16:involvedObject 3s?:reason 4s?:message 5m33:source 6m12:firstTimestamp 7m12:lastTimestamp 8i?:count 9s?:type 10m34:eventTime 11*m35?:series 12s?:action 13*m16?:related 14s:reportingComponent=ReportingController 15s:reportingInstance
EventSource 1s?:component 2s?:host
Timestamp!microTime 1l:seconds 2i:nanos
EventSeries 1i?:count 2m34:lastObservedTime
EventList 1m20:metadata=ListMeta 2[]m32:items
GetOptions 1s?:resourceVersion
LimitRange 1m11:metadata=ObjectMeta 2m39:spec
LimitRangeSpec 1[]m40:limits
LimitRangeItem 1s:type 2{}m41?:max 3{}m41?:min 4{}m41?:default 5{}m41?:defaultRequest 6{}m41?:maxLimitRequestRatio
Quantity!quantity 1s:string=String_
LimitRangeList 1m20:metadata=ListMeta 2[]m38:items
List 1m20:metadata=ListMeta 2[]m44:items
RawExtension!rawExtension 1y:raw
ListOptions 1s?:labelSelector 2s?:fieldSelector 3b?:watch 9b?:allowWatchBookmarks 4s?:resourceVersion 10s?:resourceVersionMatch 5*l?:timeoutSeconds 7l?:limit 8s?:continue 11*b?:sendInitialEvents 15s?:shardSelector
Namespace 1m11:metadata=ObjectMeta 2m47:spec 3m48:status
NamespaceSpec 1[]s?:finalizers
NamespaceStatus 1s?:phase 2[]m49?:conditions
NamespaceCondition 1s:type 2s:status 4m12:lastTransitionTime 5s?:reason 6s?:message
NamespaceList 1m20:metadata=ListMeta 2[]m46:items
Node 1m11:metadata=ObjectMeta 2m52:spec 3m56:status
NodeSpec 1s?:podCIDR 7[]s?:podCIDRs 3s?:providerID 4b?:unschedulable 5[]m53?:taints 6*m54?:configSource 2s?:externalID=DoNotUseExternalID
Taint 1s:key 2s?:value 3s:effect 4*m12?:timeAdded
NodeConfigSource 2*m55?:configMap
ConfigMapNodeConfigSource 1s:namespace 2s:name 3s?:uid=UID 4s?:resourceVersion 5s:kubeletConfigKey
NodeStatus 1{}m41?:capacity 2{}m41?:allocatable 3s?:phase 4[]m57?:conditions 5[]m58?:addresses 6m59:daemonEndpoints 7m61:nodeInfo 8[]m63?:images 9[]s?:volumesInUse 10[]m64?:volumesAttached 11*m65?:config 12[]m66?:runtimeHandlers 13*m68?:features 14[]s?:declaredFeatures
NodeCondition 1s:type 2s:status 3m12:lastHeartbeatTime 4m12:lastTransitionTime 5s?:reason 6s?:message
NodeAddress 1s:type 2s:address
NodeDaemonEndpoints 1m60:kubeletEndpoint
DaemonEndpoint 1i:Port
NodeSystemInfo 1s:machineID 2s:systemUUID 3s:bootID 4s:kernelVersion 5s:osImage=OSImage 6s:containerRuntimeVersion 7s:kubeletVersion 8s:kubeProxyVersion 9s:operatingSystem 10s:architecture 11*m62?:swap
NodeSwapStatus 1*l?:capacity
ContainerImage 1[]s:names 2l?:sizeBytes
AttachedVolume 1s:name 2s:devicePath
NodeConfigStatus 1*m54?:assigned 2*m54?:active 3*m54?:lastKnownGood 4s?:error
NodeRuntimeHandler 1s:name 2*m67?:features
NodeRuntimeHandlerFeatures 1*b?:recursiveReadOnlyMounts 2*b?:userNamespaces
NodeFeatures 1*b?:supplementalGroupsPolicy
NodeList 1m20:metadata=ListMeta 2[]m51:items
NodeProxyOptions 1s?:path
PatchOptions 1[]s?:dryRun 2*b?:force 3s?:fieldManager 4s?:fieldValidation
PersistentVolume 1m11:metadata=ObjectMeta 2m73:spec 3m102:status
PersistentVolumeSpec 1{}m41?:capacity 2m74:=PersistentVolumeSource 3[]s?:accessModes 4*m16?:claimRef 5s?:persistentVolumeReclaimPolicy 6s?:storageClassName 7[]s?:mountOptions 8*s?:volumeMode 9*m98?:nodeAffinity 10*s?:volumeAttributesClassName
PersistentVolumeSource 1*m75?:gcePersistentDisk=GCEPersistentDisk 2*m76?:awsElasticBlockStore=AWSElasticBlockStore 3*m77?:hostPath 4*m78?:glusterfs 5*m79?:nfs=NFS 6*m80?:rbd=RBD 7*m82?:iscsi=ISCSI 8*m83?:cinder 9*m84?:cephfs=CephFS 10*m85?:fc=FC 11*m86?:flocker 12*m87?:flexVolume 13*m88?:azureFile 14*m89?:vsphereVolume 15*m90?:quobyte 16*m91?:azureDisk 17*m92?:photonPersistentDisk 18*m93?:portworxVolume 19*m94?:scaleIO 20*m95?:local 21*m96?:storageos=StorageOS 22*m97?:csi=CSI
GCEPersistentDiskVolumeSource 1s:pdName=PDName 2s?:fsType=FSType 3i?:partition 4b?:readOnly
AWSElasticBlockStoreVolumeSource 1s:volumeID 2s?:fsType=FSType 3i?:partition 4b?:readOnly
HostPathVolumeSource 1s:path 2*s?:type
GlusterfsPersistentVolumeSource 1s:endpoints=EndpointsName 2s:path 3b?:readOnly 4*s?:endpointsNamespace
NFSVolumeSource 1s:server 2s:path 3b?:readOnly
RBDPersistentVolumeSource 1[]s:monitors=CephMonitors 2s:image=RBDImage 3s?:fsType=FSType 4s?:pool=RBDPool 5s?:user=RadosUser 6s?:keyring 7*m81?:secretRef 8b?:readOnly
SecretReference 1s?:name 2s?:namespace
ISCSIPersistentVolumeSource 1s:targetPortal 2s:iqn=IQN 3i:lun 4s?:iscsiInterface=ISCSIInterface 5s?:fsType=FSType 6b?:readOnly 7[]s?:portals 8b?:chapAuthDiscovery=DiscoveryCHAPAuth 11b?:chapAuthSession=SessionCHAPAuth 10*m81?:secretRef 12*s?:initiatorName
CinderPersistentVolumeSource 1s:volumeID 2s?:fsType=FSType 3b?:readOnly 4*m81?:secretRef
CephFSPersistentVolumeSource 1[]s:monitors 2s?:path 3s?:user 4s?:secretFile 5*m81?:secretRef 6b?:readOnly
FCVolumeSource 1[]s?:targetWWNs 2*i?:lun 3s?:fsType=FSType 4b?:readOnly 5[]s?:wwids=WWIDs
FlockerVolumeSource 1s?:datasetName 2s?:datasetUUID
FlexPersistentVolumeSource 1s:driver 2s?:fsType=FSType 3*m81?:secretRef 4b?:readOnly 5{}s?:options
AzureFilePersistentVolumeSource 1s:secretName 2s:shareName 3b?:readOnly 4*s:secretNamespace
VsphereVirtualDiskVolumeSource 1s:volumePath 2s?:fsType=FSType 3s?:storagePolicyName 4s?:storagePolicyID
QuobyteVolumeSource 1s:registry 2s:volume 3b?:readOnly 4s?:user 5s?:group 6s?:tenant
AzureDiskVolumeSource 1s:diskName 2s:diskURI=DataDiskURI 3*s?:cachingMode 4*s?:fsType=FSType 5*b?:readOnly 6*s?:kind
PhotonPersistentDiskVolumeSource 1s:pdID 2s?:fsType=FSType
PortworxVolumeSource 1s:volumeID 2s?:fsType=FSType 3b?:readOnly
ScaleIOPersistentVolumeSource 1s:gateway 2s:system 3*m81:secretRef 4b?:sslEnabled=SSLEnabled 5s?:protectionDomain 6s?:storagePool 7s?:storageMode 8s?:volumeName 9s?:fsType=FSType 10b?:readOnly
LocalVolumeSource 1s:path 2*s?:fsType=FSType
StorageOSPersistentVolumeSource 1s?:volumeName 2s?:volumeNamespace 3s?:fsType=FSType 4b?:readOnly 5*m16?:secretRef
CSIPersistentVolumeSource 1s:driver 2s:volumeHandle 3b?:readOnly 4s?:fsType=FSType 5{}s?:volumeAttributes 6*m81?:controllerPublishSecretRef 7*m81?:nodeStageSecretRef 8*m81?:nodePublishSecretRef 9*m81?:controllerExpandSecretRef 10*m81?:nodeExpandSecretRef
VolumeNodeAffinity 1*m99?:required
NodeSelector 1[]m100:nodeSelectorTerms
NodeSelectorTerm 1[]m101?:matchExpressions 2[]m101?:matchFields
NodeSelectorRequirement 1s:key 2s:operator 3[]s?:values
PersistentVolumeStatus 1s?:phase 2s?:message 3s?:reason 4*m12?:lastPhaseTransitionTime
PersistentVolumeClaim 1m11:metadata=ObjectMeta 2m104:spec 3m110:status
PersistentVolumeClaimSpec 1[]s?:accessModes 4*m105?:selector 2m107:resources 3s?:volumeName 5*s?:storageClassName 6*s?:volumeMode 7*m108?:dataSource 8*m109?:dataSourceRef 9*s?:volumeAttributesClassName
LabelSelector 1{}s?:matchLabels 2[]m106?:matchExpressions
LabelSelectorRequirement 1s:key 2s:operator 3[]s?:values
VolumeResourceRequirements 1{}m41?:limits 2{}m41?:requests
TypedLocalObjectReference 1*s:apiGroup=APIGroup 2s:kind 3s:name
TypedObjectReference 1*s:apiGroup=APIGroup 2s:kind 3s:name 4*s?:namespace
PersistentVolumeClaimStatus 1s?:phase 2[]s?:accessModes 3{}m41?:capacity 4[]m111?:conditions 5{}m41?:allocatedResources 7{}s?:allocatedResourceStatuses 8*s?:currentVolumeAttributesClassName 9*m112?:modifyVolumeStatus
PersistentVolumeClaimCondition 1s:type 2s:status 3m12:lastProbeTime 4m12:lastTransitionTime 5s?:reason 6s?:message
ModifyVolumeStatus 1s?:targetVolumeAttributesClassName 2s:status
PersistentVolumeClaimList 1m20:metadata=ListMeta 2[]m103:items
PersistentVolumeList 1m20:metadata=ListMeta 2[]m72:items
Pod 1m11:metadata=ObjectMeta 2m116:spec 3m206:status
PodSpec 1[]m117?:volumes 20[]m151?:initContainers 2[]m151:containers 34[]m185?:ephemeralContainers 3s?:restartPolicy 4*l?:terminationGracePeriodSeconds 5*l?:activeDeadlineSeconds 6s?:dnsPolicy=DNSPolicy 7{}s?:nodeSelector 8s?:serviceAccountName 9s?:serviceAccount=DeprecatedServiceAccount 21*b?:automountServiceAccountToken 10s?:nodeName 11b?:hostNetwork 12b?:hostPID 13b?:hostIPC 27*b?:shareProcessNamespace 14*m187?:securityContext 15[]m124?:imagePullSecrets 16s?:hostname 17s?:subdomain 18*m189?:affinity 19s?:schedulerName 22[]m196?:tolerations 23[]m197?:hostAliases 24s?:priorityClassName 25*i?:priority 26*m198?:dnsConfig=DNSConfig 28[]m200?:readinessGates 29*s?:runtimeClassName 30*b?:enableServiceLinks 31*s?:preemptionPolicy 32{}m41?:overhead 33[]m201?:topologySpreadConstraints 35*b?:setHostnameAsFQDN 36*m202?:os=OS 37*b?:hostUsers 38[]m203?:schedulingGates 39[]m204?:resourceClaims 40*m161?:resources 41*s?:hostnameOverride 43*m205?:schedulingGroup
Volume 1s:name 2m118:=VolumeSource
VolumeSource 1*m77?:hostPath 2*m119?:emptyDir 3*m75?:gcePersistentDisk=GCEPersistentDisk 4*m76?:awsElasticBlockStore=AWSElasticBlockStore 5*m120?:gitRepo 6*m121?:secret 7*m79?:nfs=NFS 8*m123?:iscsi=ISCSI 9*m125?:glusterfs 10*m126?:persistentVolumeClaim 11*m127?:rbd=RBD 12*m128?:flexVolume 13*m129?:cinder 14*m130?:cephfs=CephFS 15*m86?:flocker 16*m131?:downwardAPI 17*m85?:fc=FC 18*m135?:azureFile 19*m136?:configMap 20*m89?:vsphereVolume 21*m90?:quobyte 22*m91?:azureDisk 23*m92?:photonPersistentDisk 26*m137?:projected 24*m93?:portworxVolume 25*m145?:scaleIO 27*m146?:storageos=StorageOS 28*m147?:csi=CSI 29*m148?:ephemeral 30*m150?:image
EmptyDirVolumeSource 1s?:medium 2*m41?:sizeLimit
GitRepoVolumeSource 1s:repository 2s?:revision 3s?:directory
SecretVolumeSource 1s?:secretName 2[]m122?:items 3*i?:defaultMode 4*b?:optional
KeyToPath 1s:key 2s:path 3*i?:mode
ISCSIVolumeSource 1s:targetPortal 2s:iqn=IQN 3i:lun 4s?:iscsiInterface=ISCSIInterface 5s?:fsType=FSType 6b?:readOnly 7[]s?:portals 8b?:chapAuthDiscovery=DiscoveryCHAPAuth 11b?:chapAuthSession=SessionCHAPAuth 10*m124?:secretRef 12*s?:initiatorName
LocalObjectReference 1s?:name
GlusterfsVolumeSource 1s:endpoints=EndpointsName 2s:path 3b?:readOnly
PersistentVolumeClaimVolumeSource 1s:claimName 2b?:readOnly
RBDVolumeSource 1[]s:monitors=CephMonitors 2s:image=RBDImage 3s?:fsType=FSType 4s?:pool=RBDPool 5s?:user=RadosUser 6s?:keyring 7*m124?:secretRef 8b?:readOnly
FlexVolumeSource 1s:driver 2s?:fsType=FSType 3*m124?:secretRef 4b?:readOnly 5{}s?:options
CinderVolumeSource 1s:volumeID 2s?:fsType=FSType 3b?:readOnly 4*m124?:secretRef
CephFSVolumeSource 1[]s:monitors 2s?:path 3s?:user 4s?:secretFile 5*m124?:secretRef 6b?:readOnly
DownwardAPIVolumeSource 1[]m132?:items 2*i?:defaultMode
DownwardAPIVolumeFile 1s:path 2*m133?:fieldRef 3*m134?:resourceFieldRef 4*i?:mode
ObjectFieldSelector 1s?:apiVersion=APIVersion 2s:fieldPath
ResourceFieldSelector 1s?:containerName 2s:resource 3m41:divisor
AzureFileVolumeSource 1s:secretName 2s:shareName 3b?:readOnly
ConfigMapVolumeSource 1m124:=LocalObjectReference 2[]m122?:items 3*i?:defaultMode 4*b?:optional
ProjectedVolumeSource 1[]m138:sources 2*i?:defaultMode
VolumeProjection 1*m139?:secret 2*m140?:downwardAPI 3*m141?:configMap 4*m142?:serviceAccountToken 5*m143?:clusterTrustBundle 6*m144?:podCertificate
SecretProjection 1m124:=LocalObjectReference 2[]m122?:items 4*b?:optional
DownwardAPIProjection 1[]m132?:items
ConfigMapProjection 1m124:=LocalObjectReference 2[]m122?:items 4*b?:optional
ServiceAccountTokenProjection 1s?:audience 2*l?:expirationSeconds 3s:path
ClusterTrustBundleProjection 1*s?:name 2*s?:signerName 3*m105?:labelSelector 5*b?:optional 4s:path
PodCertificateProjection 1s?:signerName 2s?:keyType 3*i?:maxExpirationSeconds 4s?:credentialBundlePath 5s?:keyPath 6s?:certificateChainPath 7{}s?:userAnnotations
ScaleIOVolumeSource 1s:gateway 2s:system 3*m124:secretRef 4b?:sslEnabled=SSLEnabled 5s?:protectionDomain 6s?:storagePool 7s?:storageMode 8s?:volumeName 9s?:fsType=FSType 10b?:readOnly
StorageOSVolumeSource 1s?:volumeName 2s?:volumeNamespace 3s?:fsType=FSType 4b?:readOnly 5*m124?:secretRef
CSIVolumeSource 1s:driver 2*b?:readOnly 3*s?:fsType=FSType 4{}s?:volumeAttributes 5*m124?:nodePublishSecretRef
EphemeralVolumeSource 1*m149?:volumeClaimTemplate
PersistentVolumeClaimTemplate 1m11:metadata=ObjectMeta 2m104:spec
ImageVolumeSource 1s?:reference 2s?:pullPolicy
Container 1s:name 2s?:image 3[]s?:command 4[]s?:args 5s?:workingDir 6[]m152?:ports 19[]m153?:envFrom 7[]m156?:env 8m161:resources 23[]m163?:resizePolicy 24*s?:restartPolicy 25[]m164?:restartPolicyRules 9[]m166?:volumeMounts 21[]m167?:volumeDevices 10*m168?:livenessProbe 11*m168?:readinessProbe 22*m168?:startupProbe 12*m176?:lifecycle 13s?:terminationMessagePath 20s?:terminationMessagePolicy 14s?:imagePullPolicy 15*m179?:securityContext 16b?:stdin 17b?:stdinOnce 18b?:tty=TTY
ContainerPort 1s?:name 2i?:hostPort 3i:containerPort 4s?:protocol 5s?:hostIP
EnvFromSource 1s?:prefix 2*m154?:configMapRef 3*m155?:secretRef
ConfigMapEnvSource 1m124:=LocalObjectReference 2*b?:optional
SecretEnvSource 1m124:=LocalObjectReference 2*b?:optional
EnvVar 1s:name 2s?:value 3*m157?:valueFrom
EnvVarSource 1*m133?:fieldRef 2*m134?:resourceFieldRef 3*m158?:configMapKeyRef 4*m159?:secretKeyRef 5*m160?:fileKeyRef
ConfigMapKeySelector 1m124:=LocalObjectReference 2s:key 3*b?:optional
SecretKeySelector 1m124:=LocalObjectReference 2s:key 3*b?:optional
FileKeySelector 1s:volumeName 2s:path 3s:key 4*b?:optional
ResourceRequirements 1{}m41?:limits 2{}m41?:requests 3[]m162?:claims
ResourceClaim 1s:name 2s?:request
ContainerResizePolicy 1s:resourceName 2s:restartPolicy
ContainerRestartRule 1s?:action 2*m165?:exitCodes
ContainerRestartRuleOnExitCodes 1s?:operator 2[]i?:values
VolumeMount 1s:name 2b?:readOnly 7*s?:recursiveReadOnly 3s:mountPath 4s?:subPath 5*s?:mountPropagation 6s?:subPathExpr
VolumeDevice 1s:name 2s:devicePath
Probe 1m169:=ProbeHandler 2i?:initialDelaySeconds 3i?:timeoutSeconds 4i?:periodSeconds 5i?:successThreshold 6i?:failureThreshold 7*l?:terminationGracePeriodSeconds
ProbeHandler 1*m170?:exec 2*m171?:httpGet=HTTPGet 3*m174?:tcpSocket=TCPSocket 4*m175?:grpc=GRPC
ExecAction 1[]s?:command
HTTPGetAction 1s?:path 2m172:port 3s?:host 4s?:scheme 5[]m173?:httpHeaders=HTTPHeaders
IntOrString!intOrString 1l:type 2i:intVal 3s:strVal
HTTPHeader 1s:name 2s:value
TCPSocketAction 1m172:port 2s?:host
GRPCAction 1i:port 2*s:service
Lifecycle 1*m177?:postStart 2*m177?:preStop 3*s?:stopSignal
LifecycleHandler 1*m170?:exec 2*m171?:httpGet=HTTPGet 3*m174?:tcpSocket=TCPSocket 4*m178?:sleep
SleepAction 1l:seconds
SecurityContext 1*m180?:capabilities 2*b?:privileged 3*m181?:seLinuxOptions=SELinuxOptions 10*m182?:windowsOptions 4*l?:runAsUser 8*l?:runAsGroup 5*b?:runAsNonRoot 6*b?:readOnlyRootFilesystem 7*b?:allowPrivilegeEscalation 9*s?:procMount 11*m183?:seccompProfile 12*m184?:appArmorProfile
Capabilities 1[]s?:add 2[]s?:drop
SELinuxOptions 1s?:user 2s?:role 3s?:type 4s?:level
WindowsSecurityContextOptions 1*s?:gmsaCredentialSpecName=GMSACredentialSpecName 2*s?:gmsaCredentialSpec=GMSACredentialSpec 3*s?:runAsUserName 4*b?:hostProcess
SeccompProfile 1s:type 2*s?:localhostProfile
AppArmorProfile 1s:type 2*s?:localhostProfile
EphemeralContainer 1m186:=EphemeralContainerCommon 2s?:targetContainerName
EphemeralContainerCommon 1s:name 2s?:image 3[]s?:command 4[]s?:args 5s?:workingDir 6[]m152?:ports 19[]m153?:envFrom 7[]m156?:env 8m161:resources 23[]m163?:resizePolicy 24*s?:restartPolicy 25[]m164?:restartPolicyRules 9[]m166?:volumeMounts 21[]m167?:volumeDevices 10*m168?:livenessProbe 11*m168?:readinessProbe 22*m168?:startupProbe 12*m176?:lifecycle 13s?:terminationMessagePath 20s?:terminationMessagePolicy 14s?:imagePullPolicy 15*m179?:securityContext 16b?:stdin 17b?:stdinOnce 18b?:tty=TTY
PodSecurityContext 1*m181?:seLinuxOptions=SELinuxOptions 8*m182?:windowsOptions 2*l?:runAsUser 6*l?:runAsGroup 3*b?:runAsNonRoot 4[]l?:supplementalGroups 12*s?:supplementalGroupsPolicy 5*l?:fsGroup=FSGroup 7[]m188?:sysctls 9*s?:fsGroupChangePolicy=FSGroupChangePolicy 10*m183?:seccompProfile 11*m184?:appArmorProfile 13*s?:seLinuxChangePolicy=SELinuxChangePolicy
Sysctl 1s:name 2s:value
Affinity 1*m190?:nodeAffinity 2*m192?:podAffinity 3*m195?:podAntiAffinity
NodeAffinity 1*m99?:requiredDuringSchedulingIgnoredDuringExecution 2[]m191?:preferredDuringSchedulingIgnoredDuringExecution
PreferredSchedulingTerm 1i:weight 2m100:preference
PodAffinity 1[]m193?:requiredDuringSchedulingIgnoredDuringExecution 2[]m194?:preferredDuringSchedulingIgnoredDuringExecution
PodAffinityTerm 1*m105?:labelSelector 2[]s?:namespaces 3s:topologyKey 4*m105?:namespaceSelector 5[]s?:matchLabelKeys 6[]s?:mismatchLabelKeys
WeightedPodAffinityTerm 1i:weight 2m193:podAffinityTerm
PodAntiAffinity 1[]m193?:requiredDuringSchedulingIgnoredDuringExecution 2[]m194?:preferredDuringSchedulingIgnoredDuringExecution
Toleration 1s?:key 2s?:operator 3s?:value 4s?:effect 5*l?:tolerationSeconds
HostAlias 1s:ip=IP 2[]s?:hostnames
PodDNSConfig 1[]s?:nameservers 2[]s?:searches 3[]m199?:options
PodDNSConfigOption 1s?:name 2*s?:value
PodReadinessGate 1s:conditionType
TopologySpreadConstraint 1i:maxSkew 2s:topologyKey 3s:whenUnsatisfiable 4*m105?:labelSelector 5*i?:minDomains 6*s?:nodeAffinityPolicy 7*s?:nodeTaintsPolicy 8[]s?:matchLabelKeys
PodOS 1s:name
PodSchedulingGate 1s:name
PodResourceClaim 1s:name 3*s?:resourceClaimName 4*s?:resourceClaimTemplateName
PodSchedulingGroup 1*s?:podGroupName
PodStatus 17l?:observedGeneration 1s?:phase 2[]m207?:conditions 3s?:message 4s?:reason 11s?:nominatedNodeName 5s?:hostIP 16[]m208?:hostIPs 6s?:podIP 12[]m209?:podIPs 7*m12?:startTime 10[]m210?:initContainerStatuses 8[]m210?:containerStatuses 9s?:qosClass=QOSClass 13[]m210?:ephemeralContainerStatuses 14s?:resize 15[]m222?:resourceClaimStatuses 18*m223?:extendedResourceClaimStatus 19{}m41?:allocatedResources 20*m161?:resources 21[]m225?:nodeAllocatableResourceClaimStatuses
PodCondition 1s:type 7l?:observedGeneration 2s:status 3m12:lastProbeTime 4m12:lastTransitionTime 5s?:reason 6s?:message
HostIP 1s:ip=IP
PodIP 1s:ip=IP
ContainerStatus 1s:name 2m211:state 3m211:lastState=LastTerminationState 4b:ready 5i:restartCount 6s:image 7s:imageID 8s?:containerID 9*b?:started 10{}m41?:allocatedResources 11*m161?:resources 12[]m215?:volumeMounts 13*m218?:user 14[]m220?:allocatedResourcesStatus 15*s?:stopSignal
ContainerState 1*m212?:waiting 2*m213?:running 3*m214?:terminated
ContainerStateWaiting 1s?:reason 2s?:message
ContainerStateRunning 1m12:startedAt
ContainerStateTerminated 1i:exitCode 2i?:signal 3s?:reason 4s?:message 5m12:startedAt 6m12:finishedAt 7s?:containerID
VolumeMountStatus 1s:name 2s:mountPath 3b?:readOnly 4*s?:recursiveReadOnly 5*m216?:volumeStatus
VolumeStatus 1*m217?:image
ImageVolumeStatus 1s?:imageRef
ContainerUser 1*m219?:linux
LinuxContainerUser 1l:uid=UID 2l:gid=GID 3[]l?:supplementalGroups
ResourceStatus 1s:name 2[]m221?:resources
ResourceHealth 1s:resourceID 2s?:health 6*s?:message
PodResourceClaimStatus 1s:name 2*s?:resourceClaimName
PodExtendedResourceClaimStatus 1[]m224:requestMappings 2s:resourceClaimName
ContainerExtendedResourceRequest 1s:containerName 2s:resourceName 3s:requestName
NodeAllocatableResourceClaimStatus 1s:resourceClaimName 2[]s?:containers 3{}m41:resources
PodAttachOptions 1b?:stdin 2b?:stdout 3b?:stderr 4b?:tty=TTY 5s?:container
PodExecOptions 1b?:stdin 2b?:stdout 3b?:stderr 4b?:tty=TTY 5s?:container 6[]s:command
PodList 1m20:metadata=ListMeta 2[]m115:items
PodLogOptions 1s?:container 2b?:follow 3b?:previous 4*l?:sinceSeconds 5*m12?:sinceTime 6b?:timestamps 7*l?:tailLines 8*l?:limitBytes 9b?:insecureSkipTLSVerifyBackend 10*s?:stream
PodPortForwardOptions 1[]i?:ports
PodProxyOptions 1s?:path
PodStatusResult 1m11:metadata=ObjectMeta 2m206:status
PodTemplate 1m11:metadata=ObjectMeta 2m234:template
PodTemplateSpec 1m11:metadata=ObjectMeta 2m116:spec
PodTemplateList 1m20:metadata=ListMeta 2[]m233:items
RangeAllocation 1m11:metadata=ObjectMeta 2s:range 3y:data
ReplicationController 1m11:metadata=ObjectMeta 2m238:spec 3m239:status
ReplicationControllerSpec 1*i?:replicas 4i?:minReadySeconds 2{}s?:selector 3*m234?:template
ReplicationControllerStatus 1i:replicas 2i?:fullyLabeledReplicas 4i?:readyReplicas 5i?:availableReplicas 3l?:observedGeneration 6[]m240?:conditions
ReplicationControllerCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
ReplicationControllerList 1m20:metadata=ListMeta 2[]m237:items
ResourceQuota 1m11:metadata=ObjectMeta 2m243:spec 3m246:status
ResourceQuotaSpec 1{}m41?:hard 2[]s?:scopes 3*m244?:scopeSelector
ScopeSelector 1[]m245?:matchExpressions
ScopedResourceSelectorRequirement 1s:scopeName 2s:operator 3[]s?:values
ResourceQuotaStatus 1{}m41?:hard 2{}m41?:used
ResourceQuotaList 1m20:metadata=ListMeta 2[]m242:items
Secret 1m11:metadata=ObjectMeta 5*b?:immutable 2{}y?:data 4{}s?:stringData 3s?:type
SecretList 1m20:metadata=ListMeta 2[]m248:items
SerializedReference 1m16:reference
Service 1m11:metadata=ObjectMeta 2m252:spec 3m256:status
ServiceSpec 1[]m253?:ports 2{}s?:selector 3s?:clusterIP 18[]s?:clusterIPs 4s?:type 5[]s?:externalIPs 7s?:sessionAffinity 8s?:loadBalancerIP 9[]s?:loadBalancerSourceRanges 10s?:externalName 11s?:externalTrafficPolicy 12i?:healthCheckNodePort 13b?:publishNotReadyAddresses 14*m254?:sessionAffinityConfig 19[]s?:ipFamilies=IPFamilies 17*s?:ipFamilyPolicy=IPFamilyPolicy 20*b?:allocateLoadBalancerNodePorts 21*s?:loadBalancerClass 22*s?:internalTrafficPolicy 23*s?:trafficDistribution
ServicePort 1s?:name 2s?:protocol 6*s?:appProtocol 3i:port 4m172:targetPort 5i?:nodePort
SessionAffinityConfig 1*m255?:clientIP
ClientIPConfig 1*i?:timeoutSeconds
ServiceStatus 1m257:loadBalancer 2[]m260?:conditions
LoadBalancerStatus 1[]m258?:ingress
LoadBalancerIngress 1s?:ip=IP 2s?:hostname 3*s?:ipMode=IPMode 4[]m259?:ports
PortStatus 1i:port 2s:protocol 3*s?:error
Condition 1s:type 2s:status 3l?:observedGeneration 4m12:lastTransitionTime 5s:reason 6s:message
ServiceAccount 1m11:metadata=ObjectMeta 2[]m16?:secrets 3[]m124?:imagePullSecrets 4*b?:automountServiceAccountToken
ServiceAccountList 1m20:metadata=ListMeta 2[]m261:items
ServiceList 1m20:metadata=ListMeta 2[]m251:items
ServiceProxyOptions 1s?:path
Status 1m20:metadata=ListMeta 2s?:status 3s?:message 4s?:reason 5*m266?:details 6i?:code
StatusDetails 1s?:name 2s?:group 3s?:kind 6s?:uid=UID 4[]m267?:causes 5i?:retryAfterSeconds
StatusCause 1s?:reason=Type 2s?:message 3s?:field
UpdateOptions 1[]s?:dryRun 2s?:fieldManager 3s?:fieldValidation
WatchEvent 1s:type 2m44:object
AdmissionReview 1*m271?:request 2*m276?:response
AdmissionRequest 1s:uid=UID 2m272:kind 3m273:resource 4s?:subResource 13*m272?:requestKind 14*m273?:requestResource 15s?:requestSubResource 5s?:name 6s?:namespace 7s:operation 8m274:userInfo 9m44:object 10m44:oldObject 11*b?:dryRun 12m44:options
GroupVersionKind 1s:group 2s:version 3s:kind
GroupVersionResource 1s:group 2s:version 3s:resource
UserInfo 1s?:username 2s?:uid=UID 3[]s?:groups 4{}m275?:extra
ExtraValue!list 1[]s:items
AdmissionResponse 1s:uid=UID 2b:allowed 3*m265?:status=Result 4y?:patch 5*s?:patchType 6{}s?:auditAnnotations 7[]s?:warnings
AdmissionReview 1*m278?:request 2*m279?:response
AdmissionRequest 1s:uid=UID 2m272:kind 3m273:resource 4s?:subResource 13*m272?:requestKind 14*m273?:requestResource 15s?:requestSubResource 5s?:name 6s?:namespace 7s:operation 8m274:userInfo 9m44:object 10m44:oldObject 11*b?:dryRun 12m44:options
AdmissionResponse 1s:uid=UID 2b:allowed 3*m265?:status=Result 4y?:patch 5*s?:patchType 6{}s?:auditAnnotations 7[]s?:warnings
MutatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m281:spec
MutatingAdmissionPolicySpec 1*m282?:paramKind 2*m283?:matchConstraints 3[]m287?:variables 4[]m288?:mutations 5*s?:failurePolicy 6[]m291?:matchConditions 7s?:reinvocationPolicy
ParamKind 1s?:apiVersion=APIVersion 2s?:kind
MatchResources 1*m105?:namespaceSelector 2*m105?:objectSelector 3[]m284?:resourceRules 4[]m284?:excludeResourceRules 7*s?:matchPolicy
NamedRuleWithOperations 1[]s?:resourceNames 2m285:=RuleWithOperations
RuleWithOperations 1[]s?:operations 2m286:=Rule
Rule 1[]s?:apiGroups=APIGroups 2[]s?:apiVersions=APIVersions 3[]s?:resources 4*s?:scope
Variable 1s:name 2s:expression
Mutation 2s:patchType 3*m289?:applyConfiguration 4*m290?:jsonPatch=JSONPatch
ApplyConfiguration 1s?:expression
JSONPatch 1s?:expression
MatchCondition 1s:name 2s:expression
MutatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m293:spec
MutatingAdmissionPolicyBindingSpec 1s?:policyName 2*m294?:paramRef 3*m283?:matchResources
ParamRef 1s?:name 2s?:namespace 3*m105?:selector 4*s?:parameterNotFoundAction
MutatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m292:items
MutatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m280:items
MutatingWebhookConfiguration 1m11:metadata=ObjectMeta 2[]m298?:webhooks
MutatingWebhook 1s:name 2m299:clientConfig 3[]m285?:rules 4*s?:failurePolicy 9*s?:matchPolicy 5*m105?:namespaceSelector 11*m105?:objectSelector 6*s:sideEffects 7*i?:timeoutSeconds 8[]s:admissionReviewVersions 10*s?:reinvocationPolicy 12[]m291?:matchConditions
WebhookClientConfig 3*s?:url=URL 1*m300?:service 2y?:caBundle=CABundle
ServiceReference 1s:namespace 2s:name 3*s?:path 4*i?:port
MutatingWebhookConfigurationList 1m20:metadata=ListMeta 2[]m297:items
ValidatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m303:spec 3m306:status
ValidatingAdmissionPolicySpec 1*m282?:paramKind 2*m283?:matchConstraints 3[]m304?:validations 4*s?:failurePolicy 5[]m305?:auditAnnotations 6[]m291?:matchConditions 7[]m287?:variables
Validation 1s:expression 2s?:message 3*s?:reason 4s?:messageExpression
AuditAnnotation 1s:key 2s:valueExpression
ValidatingAdmissionPolicyStatus 1l?:observedGeneration 2*m307?:typeChecking 3[]m260?:conditions
TypeChecking 1[]m308?:expressionWarnings
ExpressionWarning 2s:fieldRef 3s:warning
ValidatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m310:spec
ValidatingAdmissionPolicyBindingSpec 1s?:policyName 2*m294?:paramRef 3*m283?:matchResources 4[]s?:validationActions
ValidatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m309:items
ValidatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m302:items
ValidatingWebhookConfiguration 1m11:metadata=ObjectMeta 2[]m314?:webhooks
ValidatingWebhook 1s:name 2m299:clientConfig 3[]m285?:rules 4*s?:failurePolicy 9*s?:matchPolicy 5*m105?:namespaceSelector 10*m105?:objectSelector 6*s:sideEffects 7*i?:timeoutSeconds 8[]s:admissionReviewVersions 11[]m291?:matchConditions
ValidatingWebhookConfigurationList 1m20:metadata=ListMeta 2[]m313:items
MutatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m317:spec
MutatingAdmissionPolicySpec 1*m318?:paramKind 2*m319?:matchConstraints 3[]m321?:variables 4[]m322?:mutations 5*s?:failurePolicy 6[]m325?:matchConditions 7s?:reinvocationPolicy
ParamKind 1s?:apiVersion=APIVersion 2s?:kind
MatchResources 1*m105?:namespaceSelector 2*m105?:objectSelector 3[]m320?:resourceRules 4[]m320?:excludeResourceRules 7*s?:matchPolicy
NamedRuleWithOperations 1[]s?:resourceNames 2m285:=RuleWithOperations
Variable 1s:name 2s:expression
Mutation 2s:patchType 3*m323?:applyConfiguration 4*m324?:jsonPatch=JSONPatch
ApplyConfiguration 1s?:expression
JSONPatch 1s?:expression
MatchCondition 1s:name 2s:expression
MutatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m327:spec
MutatingAdmissionPolicyBindingSpec 1s?:policyName 2*m328?:paramRef 3*m319?:matchResources
ParamRef 1s?:name 2s?:namespace 3*m105?:selector 4*s?:parameterNotFoundAction
MutatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m326:items
MutatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m316:items
ValidatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m332:spec 3m335:status
ValidatingAdmissionPolicySpec 1*m318?:paramKind 2*m319?:matchConstraints 3[]m333?:validations 4*s?:failurePolicy 5[]m334?:auditAnnotations 6[]m325?:matchConditions 7[]m321?:variables
Validation 1s:expression 2s?:message 3*s?:reason 4s?:messageExpression
AuditAnnotation 1s:key 2s:valueExpression
ValidatingAdmissionPolicyStatus 1l?:observedGeneration 2*m336?:typeChecking 3[]m260?:conditions
TypeChecking 1[]m337?:expressionWarnings
ExpressionWarning 2s:fieldRef 3s:warning
ValidatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m339:spec
ValidatingAdmissionPolicyBindingSpec 1s?:policyName 2*m328?:paramRef 3*m319?:matchResources 4[]s?:validationActions
ValidatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m338:items
ValidatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m331:items
MutatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m343:spec
MutatingAdmissionPolicySpec 1*m344?:paramKind 2*m345?:matchConstraints 3[]m347?:variables 4[]m348?:mutations 5*s?:failurePolicy 6[]m351?:matchConditions 7s?:reinvocationPolicy
ParamKind 1s?:apiVersion=APIVersion 2s?:kind
MatchResources 1*m105?:namespaceSelector 2*m105?:objectSelector 3[]m346?:resourceRules 4[]m346?:excludeResourceRules 7*s?:matchPolicy
NamedRuleWithOperations 1[]s?:resourceNames 2m285:=RuleWithOperations
Variable 1s:name 2s:expression
Mutation 2s:patchType 3*m349?:applyConfiguration 4*m350?:jsonPatch=JSONPatch
ApplyConfiguration 1s?:expression
JSONPatch 1s?:expression
MatchCondition 1s:name 2s:expression
MutatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m353:spec
MutatingAdmissionPolicyBindingSpec 1s?:policyName 2*m354?:paramRef 3*m345?:matchResources
ParamRef 1s?:name 2s?:namespace 3*m105?:selector 4*s?:parameterNotFoundAction
MutatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m352:items
MutatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m342:items
MutatingWebhookConfiguration 1m11:metadata=ObjectMeta 2[]m358?:webhooks
MutatingWebhook 1s:name 2m359:clientConfig 3[]m285?:rules 4*s?:failurePolicy 9*s?:matchPolicy 5*m105?:namespaceSelector 11*m105?:objectSelector 6*s?:sideEffects 7*i?:timeoutSeconds 8[]s?:admissionReviewVersions 10*s?:reinvocationPolicy 12[]m351?:matchConditions
WebhookClientConfig 3*s?:url=URL 1*m360?:service 2y?:caBundle=CABundle
ServiceReference 1s:namespace 2s:name 3*s?:path 4*i?:port
MutatingWebhookConfigurationList 1m20:metadata=ListMeta 2[]m357:items
ValidatingAdmissionPolicy 1m11:metadata=ObjectMeta 2m363:spec 3m366:status
ValidatingAdmissionPolicySpec 1*m344?:paramKind 2*m345?:matchConstraints 3[]m364?:validations 4*s?:failurePolicy 5[]m365?:auditAnnotations 6[]m351?:matchConditions 7[]m347?:variables
Validation 1s:expression 2s?:message 3*s?:reason 4s?:messageExpression
AuditAnnotation 1s:key 2s:valueExpression
ValidatingAdmissionPolicyStatus 1l?:observedGeneration 2*m367?:typeChecking 3[]m260?:conditions
TypeChecking 1[]m368?:expressionWarnings
ExpressionWarning 2s:fieldRef 3s:warning
ValidatingAdmissionPolicyBinding 1m11:metadata=ObjectMeta 2m370:spec
ValidatingAdmissionPolicyBindingSpec 1s?:policyName 2*m354?:paramRef 3*m345?:matchResources 4[]s?:validationActions
ValidatingAdmissionPolicyBindingList 1m20:metadata=ListMeta 2[]m369:items
ValidatingAdmissionPolicyList 1m20:metadata=ListMeta 2[]m362:items
ValidatingWebhookConfiguration 1m11:metadata=ObjectMeta 2[]m374?:webhooks
ValidatingWebhook 1s:name 2m359:clientConfig 3[]m285?:rules 4*s?:failurePolicy 9*s?:matchPolicy 5*m105?:namespaceSelector 10*m105?:objectSelector 6*s?:sideEffects 7*i?:timeoutSeconds 8[]s?:admissionReviewVersions 11[]m351?:matchConditions
ValidatingWebhookConfigurationList 1m20:metadata=ListMeta 2[]m373:items
APIGroupDiscovery 1m11:metadata=ObjectMeta 2[]m377?:versions
APIVersionDiscovery 1s:version 2[]m378?:resources 3s?:freshness
APIResourceDiscovery 1s:resource 2*m272?:responseKind 3s:scope 4s:singularResource 5[]s:verbs 6[]s?:shortNames 7[]s?:categories 8[]m379?:subresources
APISubresourceDiscovery 1s:subresource 2*m272?:responseKind 3[]m272?:acceptedTypes 4[]s:verbs
APIGroupDiscoveryList 1m20:metadata=ListMeta 2[]m376:items
APIGroupDiscovery 1m11:metadata=ObjectMeta 2[]m382?:versions
APIVersionDiscovery 1s:version 2[]m383?:resources 3s?:freshness
APIResourceDiscovery 1s:resource 2*m272?:responseKind 3s:scope 4s:singularResource 5[]s:verbs 6[]s?:shortNames 7[]s?:categories 8[]m384?:subresources
APISubresourceDiscovery 1s:subresource 2*m272?:responseKind 3[]m272?:acceptedTypes 4[]s:verbs
APIGroupDiscoveryList 1m20:metadata=ListMeta 2[]m381:items
ConversionReview 1*m387?:request 2*m388?:response
ConversionRequest 1s:uid=UID 2s:desiredAPIVersion 3[]m44:objects
ConversionResponse 1s:uid=UID 2[]m44:convertedObjects 3m265:result
CustomResourceDefinition 1m11:metadata=ObjectMeta 2m390:spec 3m410:status
CustomResourceDefinitionSpec 1s:group 3m391:names 4s:scope 7[]m392:versions 9*m406?:conversion 10b?:preserveUnknownFields
CustomResourceDefinitionNames 1s:plural 2s?:singular 3[]s?:shortNames 4s:kind 5s?:listKind 6[]s?:categories
CustomResourceDefinitionVersion 1s:name 2b:served 3b:storage 7b?:deprecated 8*s?:deprecationWarning 4*m393?:schema 5*m401?:subresources 6[]m404?:additionalPrinterColumns 9[]m405?:selectableFields
CustomResourceValidation 1*m394?:openAPIV3Schema
JSONSchemaProps 1s?:id=ID 2s?:$schema=Schema 3*s?:$ref=Ref 4s?:description 5s?:type 6s?:format 7s?:title 8*m395?:default 9*d?:maximum 10b?:exclusiveMaximum 11*d?:minimum 12b?:exclusiveMinimum 13*l?:maxLength 14*l?:minLength 15s?:pattern 16*l?:maxItems 17*l?:minItems 18b?:uniqueItems 19*d?:multipleOf 20[]m395?:enum 21*l?:maxProperties 22*l?:minProperties 23[]s?:required 24*m396?:items 25[]m394?:allOf 26[]m394?:oneOf 27[]m394?:anyOf 28*m394?:not 29{}m394?:properties 30*m397?:additionalProperties 31{}m394?:patternProperties 32{}m398?:dependencies 33*m397?:additionalItems 34{}m394?:definitions 35*m399?:externalDocs 36*m395?:example 37b?:nullable 38*b?:x-kubernetes-preserve-unknown-fields=XPreserveUnknownFields 39b?:x-kubernetes-embedded-resource=XEmbeddedResource 40b?:x-kubernetes-int-or-string=XIntOrString 41[]s?:x-kubernetes-list-map-keys=XListMapKeys 42*s?:x-kubernetes-list-type=XListType 43*s?:x-kubernetes-map-type=XMapType 44[]m400?:x-kubernetes-validations=XValidations
JSON!raw 1y:raw
JSONSchemaPropsOrArray!schemaOrArray 1*m394:Schema 2[]m394:JSONSchemas
JSONSchemaPropsOrBool!schemaOrBool 1b:Allows 2*m394:Schema
JSONSchemaPropsOrStringArray!schemaOrStrings 1*m394:Schema 2[]s:Property
ExternalDocumentation 1s?:description 2s?:url=URL
ValidationRule 1s:rule 2s?:message 3s?:messageExpression 4*s?:reason 5s?:fieldPath 6*b?:optionalOldSelf
CustomResourceSubresources 1*m402?:status 2*m403?:scale
CustomResourceSubresourceStatus
CustomResourceSubresourceScale 1s:specReplicasPath 2s:statusReplicasPath 3*s?:labelSelectorPath
CustomResourceColumnDefinition 1s:name 2s:type 3s?:format 4s?:description 5i?:priority 6s:jsonPath=JSONPath
SelectableField 1s:jsonPath=JSONPath
CustomResourceConversion 1s:strategy 2*m407?:webhook
WebhookConversion 2*m408?:clientConfig 3[]s:conversionReviewVersions
WebhookClientConfig 3*s?:url=URL 1*m409?:service 2y?:caBundle=CABundle
ServiceReference 1s:namespace 2s:name 3*s?:path 4*i?:port
CustomResourceDefinitionStatus 1[]m411:conditions 2m391:acceptedNames 3[]s:storedVersions 4l?:observedGeneration
CustomResourceDefinitionCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message 6l?:observedGeneration
CustomResourceDefinitionList 1m20:metadata=ListMeta 2[]m389:items
ConversionReview 1*m414?:request 2*m415?:response
ConversionRequest 1s:uid=UID 2s:desiredAPIVersion 3[]m44:objects
ConversionResponse 1s:uid=UID 2[]m44:convertedObjects 3m265:result
CustomResourceDefinition 1m11:metadata=ObjectMeta 2m417:spec 3m436:status
CustomResourceDefinitionSpec 1s:group 2s?:version 3m418:names 4s:scope 5*m419?:validation 6*m427?:subresources 7[]m430?:versions 8[]m431?:additionalPrinterColumns 11[]m432?:selectableFields 9*m433?:conversion 10*b?:preserveUnknownFields
CustomResourceDefinitionNames 1s:plural 2s?:singular 3[]s?:shortNames 4s:kind 5s?:listKind 6[]s?:categories
CustomResourceValidation 1*m420?:openAPIV3Schema
JSONSchemaProps 1s?:id=ID 2s?:$schema=Schema 3*s?:$ref=Ref 4s?:description 5s?:type 6s?:format 7s?:title 8*m421?:default 9*d?:maximum 10b?:exclusiveMaximum 11*d?:minimum 12b?:exclusiveMinimum 13*l?:maxLength 14*l?:minLength 15s?:pattern 16*l?:maxItems 17*l?:minItems 18b?:uniqueItems 19*d?:multipleOf 20[]m421?:enum 21*l?:maxProperties 22*l?:minProperties 23[]s?:required 24*m422?:items 25[]m420?:allOf 26[]m420?:oneOf 27[]m420?:anyOf 28*m420?:not 29{}m420?:properties 30*m423?:additionalProperties 31{}m420?:patternProperties 32{}m424?:dependencies 33*m423?:additionalItems 34{}m420?:definitions 35*m425?:externalDocs 36*m421?:example 37b?:nullable 38*b?:x-kubernetes-preserve-unknown-fields=XPreserveUnknownFields 39b?:x-kubernetes-embedded-resource=XEmbeddedResource 40b?:x-kubernetes-int-or-string=XIntOrString 41[]s?:x-kubernetes-list-map-keys=XListMapKeys 42*s?:x-kubernetes-list-type=XListType 43*s?:x-kubernetes-map-type=XMapType 44[]m426?:x-kubernetes-validations=XValidations
JSON!raw 1y:raw
JSONSchemaPropsOrArray!schemaOrArray 1*m420:Schema 2[]m420:JSONSchemas
JSONSchemaPropsOrBool!schemaOrBool 1b:Allows 2*m420:Schema
JSONSchemaPropsOrStringArray!schemaOrStrings 1*m420:Schema 2[]s:Property
ExternalDocumentation 1s?:description 2s?:url=URL
ValidationRule 1s:rule 2s?:message 3s?:messageExpression 4*s?:reason 5s?:fieldPath 6*b?:optionalOldSelf
CustomResourceSubresources 1*m428?:status 2*m429?:scale
CustomResourceSubresourceStatus
CustomResourceSubresourceScale 1s:specReplicasPath 2s:statusReplicasPath 3*s?:labelSelectorPath
CustomResourceDefinitionVersion 1s:name 2b:served 3b:storage 7b?:deprecated 8*s?:deprecationWarning 4*m419?:schema 5*m427?:subresources 6[]m431?:additionalPrinterColumns 9[]m432?:selectableFields
CustomResourceColumnDefinition 1s:name 2s:type 3s?:format 4s?:description 5i?:priority 6s:JSONPath
SelectableField 1s:jsonPath=JSONPath
CustomResourceConversion 1s:strategy 2*m434?:webhookClientConfig 3[]s?:conversionReviewVersions
WebhookClientConfig 3*s?:url=URL 1*m435?:service 2y?:caBundle=CABundle
ServiceReference 1s:namespace 2s:name 3*s?:path 4*i?:port
CustomResourceDefinitionStatus 1[]m437:conditions 2m418:acceptedNames 3[]s:storedVersions 4l?:observedGeneration
CustomResourceDefinitionCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message 6l?:observedGeneration
CustomResourceDefinitionList 1m20:metadata=ListMeta 2[]m416:items
APIService 1m11:metadata=ObjectMeta 2m440:spec 3m442:status
APIServiceSpec 1*m441?:service 2s?:group 3s?:version 4b?:insecureSkipTLSVerify 5y?:caBundle=CABundle 7i:groupPriorityMinimum 8i:versionPriority
ServiceReference 1s?:namespace 2s?:name 3*i?:port
APIServiceStatus 1[]m443?:conditions
APIServiceCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
APIServiceList 1m20:metadata=ListMeta 2[]m439:items
APIService 1m11:metadata=ObjectMeta 2m446:spec 3m448:status
APIServiceSpec 1*m447?:service 2s?:group 3s?:version 4b?:insecureSkipTLSVerify 5y?:caBundle=CABundle 7i:groupPriorityMinimum 8i:versionPriority
ServiceReference 1s?:namespace 2s?:name 3*i?:port
APIServiceStatus 1[]m449?:conditions
APIServiceCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
APIServiceList 1m20:metadata=ListMeta 2[]m445:items
ControllerRevision 1m11:metadata=ObjectMeta 2m44:data 3l:revision
ControllerRevisionList 1m20:metadata=ListMeta 2[]m451:items
DaemonSet 1m11:metadata=ObjectMeta 2m454:spec 3m457:status
DaemonSetSpec 1*m105:selector 2m234:template 3m455:updateStrategy 4i?:minReadySeconds 6*i?:revisionHistoryLimit
DaemonSetUpdateStrategy 1s?:type 2*m456?:rollingUpdate
RollingUpdateDaemonSet 1*m172?:maxUnavailable 2*m172?:maxSurge
DaemonSetStatus 1i:currentNumberScheduled 2i:numberMisscheduled 3i:desiredNumberScheduled 4i:numberReady 5l?:observedGeneration 6i?:updatedNumberScheduled 7i?:numberAvailable 8i?:numberUnavailable 9*i?:collisionCount 10[]m458?:conditions
DaemonSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
DaemonSetList 1m20:metadata=ListMeta 2[]m453:items
Deployment 1m11:metadata=ObjectMeta 2m461:spec 3m464:status
DeploymentSpec 1*i?:replicas 2*m105:selector 3m234:template 4m462:strategy 5i?:minReadySeconds 6*i?:revisionHistoryLimit 7b?:paused 9*i?:progressDeadlineSeconds
DeploymentStrategy 1s?:type 2*m463?:rollingUpdate
RollingUpdateDeployment 1*m172?:maxUnavailable 2*m172?:maxSurge
DeploymentStatus 1l?:observedGeneration 2i?:replicas 3i?:updatedReplicas 7i?:readyReplicas 4i?:availableReplicas 5i?:unavailableReplicas 9*i?:terminatingReplicas 6[]m465?:conditions 8*i?:collisionCount
DeploymentCondition 1s:type 2s:status 6m12:lastUpdateTime 7m12:lastTransitionTime 4s?:reason 5s?:message
DeploymentList 1m20:metadata=ListMeta 2[]m460:items
ReplicaSet 1m11:metadata=ObjectMeta 2m468:spec 3m469:status
ReplicaSetSpec 1*i?:replicas 4i?:minReadySeconds 2*m105:selector 3m234:template
ReplicaSetStatus 1i:replicas 2i?:fullyLabeledReplicas 4i?:readyReplicas 5i?:availableReplicas 7*i?:terminatingReplicas 3l?:observedGeneration 6[]m470?:conditions
ReplicaSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
ReplicaSetList 1m20:metadata=ListMeta 2[]m467:items
StatefulSet 1m11:metadata=ObjectMeta 2m473:spec 3m478:status
StatefulSetSpec 1*i?:replicas 2*m105:selector 3m234:template 4[]m103?:volumeClaimTemplates 5s:serviceName 6s?:podManagementPolicy 7m474:updateStrategy 8*i?:revisionHistoryLimit 9i?:minReadySeconds 10*m476?:persistentVolumeClaimRetentionPolicy 11*m477?:ordinals
StatefulSetUpdateStrategy 1s?:type 2*m475?:rollingUpdate
RollingUpdateStatefulSetStrategy 1*i?:partition 2*m172?:maxUnavailable
StatefulSetPersistentVolumeClaimRetentionPolicy 1s?:whenDeleted 2s?:whenScaled
StatefulSetOrdinals 1i:start
StatefulSetStatus 1l?:observedGeneration 2i:replicas 3i?:readyReplicas 4i?:currentReplicas 5i?:updatedReplicas 6s?:currentRevision 7s?:updateRevision 9*i?:collisionCount 10[]m479?:conditions 11i:availableReplicas
StatefulSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
StatefulSetList 1m20:metadata=ListMeta 2[]m472:items
ControllerRevision 1m11:metadata=ObjectMeta 2m44:data 3l:revision
ControllerRevisionList 1m20:metadata=ListMeta 2[]m481:items
Deployment 1m11:metadata=ObjectMeta 2m484:spec 3m488:status
DeploymentSpec 1*i?:replicas 2*m105?:selector 3m234:template 4m485:strategy 5i?:minReadySeconds 6*i?:revisionHistoryLimit 7b?:paused 8*m487?:rollbackTo 9*i?:progressDeadlineSeconds
DeploymentStrategy 1s?:type 2*m486?:rollingUpdate
RollingUpdateDeployment 1*m172?:maxUnavailable 2*m172?:maxSurge
RollbackConfig 1l?:revision
DeploymentStatus 1l?:observedGeneration 2i?:replicas 3i?:updatedReplicas 7i?:readyReplicas 4i?:availableReplicas 5i?:unavailableReplicas 9*i?:terminatingReplicas 6[]m489?:conditions 8*i?:collisionCount
DeploymentCondition 1s:type 2s:status 6m12:lastUpdateTime 7m12:lastTransitionTime 4s?:reason 5s?:message
DeploymentList 1m20:metadata=ListMeta 2[]m483:items
DeploymentRollback 1s:name 2{}s?:updatedAnnotations 3m487:rollbackTo
Scale 1m11:metadata=ObjectMeta 2m493:spec 3m494:status
ScaleSpec 1i?:replicas
ScaleStatus 1i:replicas 2{}s?:selector 3s?:targetSelector
StatefulSet 1m11:metadata=ObjectMeta 2m496:spec 3m501:status
StatefulSetSpec 1*i?:replicas 2*m105?:selector 3m234:template 4[]m103?:volumeClaimTemplates 5s:serviceName 6s?:podManagementPolicy 7m497:updateStrategy 8*i?:revisionHistoryLimit 9i?:minReadySeconds 10*m499?:persistentVolumeClaimRetentionPolicy 11*m500?:ordinals
StatefulSetUpdateStrategy 1s?:type 2*m498?:rollingUpdate
RollingUpdateStatefulSetStrategy 1*i?:partition 2*m172?:maxUnavailable
StatefulSetPersistentVolumeClaimRetentionPolicy 1s?:whenDeleted 2s?:whenScaled
StatefulSetOrdinals 1i:start
StatefulSetStatus 1*l?:observedGeneration 2i:replicas 3i?:readyReplicas 4i?:currentReplicas 5i?:updatedReplicas 6s?:currentRevision 7s?:updateRevision 9*i?:collisionCount 10[]m502?:conditions 11i:availableReplicas
StatefulSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
StatefulSetList 1m20:metadata=ListMeta 2[]m495:items
ControllerRevision 1m11:metadata=ObjectMeta 2m44:data 3l:revision
ControllerRevisionList 1m20:metadata=ListMeta 2[]m504:items
DaemonSet 1m11:metadata=ObjectMeta 2m507:spec 3m510:status
DaemonSetSpec 1*m105:selector 2m234:template 3m508:updateStrategy 4i?:minReadySeconds 6*i?:revisionHistoryLimit
DaemonSetUpdateStrategy 1s?:type 2*m509?:rollingUpdate
RollingUpdateDaemonSet 1*m172?:maxUnavailable 2*m172?:maxSurge
DaemonSetStatus 1i:currentNumberScheduled 2i:numberMisscheduled 3i:desiredNumberScheduled 4i:numberReady 5l?:observedGeneration 6i?:updatedNumberScheduled 7i?:numberAvailable 8i?:numberUnavailable 9*i?:collisionCount 10[]m511?:conditions
DaemonSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
DaemonSetList 1m20:metadata=ListMeta 2[]m506:items
Deployment 1m11:metadata=ObjectMeta 2m514:spec 3m517:status
DeploymentSpec 1*i?:replicas 2*m105:selector 3m234:template 4m515:strategy 5i?:minReadySeconds 6*i?:revisionHistoryLimit 7b?:paused 9*i?:progressDeadlineSeconds
DeploymentStrategy 1s?:type 2*m516?:rollingUpdate
RollingUpdateDeployment 1*m172?:maxUnavailable 2*m172?:maxSurge
DeploymentStatus 1l?:observedGeneration 2i?:replicas 3i?:updatedReplicas 7i?:readyReplicas 4i?:availableReplicas 5i?:unavailableReplicas 9*i?:terminatingReplicas 6[]m518?:conditions 8*i?:collisionCount
DeploymentCondition 1s:type 2s:status 6m12:lastUpdateTime 7m12:lastTransitionTime 4s?:reason 5s?:message
DeploymentList 1m20:metadata=ListMeta 2[]m513:items
ReplicaSet 1m11:metadata=ObjectMeta 2m521:spec 3m522:status
ReplicaSetSpec 1*i?:replicas 4i?:minReadySeconds 2*m105:selector 3m234:template
ReplicaSetStatus 1i:replicas 2i?:fullyLabeledReplicas 4i?:readyReplicas 5i?:availableReplicas 7*i?:terminatingReplicas 3l?:observedGeneration 6[]m523?:conditions
ReplicaSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
ReplicaSetList 1m20:metadata=ListMeta 2[]m520:items
Scale 1m11:metadata=ObjectMeta 2m526:spec 3m527:status
ScaleSpec 1i?:replicas
ScaleStatus 1i:replicas 2{}s?:selector 3s?:targetSelector
StatefulSet 1m11:metadata=ObjectMeta 2m529:spec 3m534:status
StatefulSetSpec 1*i?:replicas 2*m105:selector 3m234:template 4[]m103?:volumeClaimTemplates 5s:serviceName 6s?:podManagementPolicy 7m530:updateStrategy 8*i?:revisionHistoryLimit 9i?:minReadySeconds 10*m532?:persistentVolumeClaimRetentionPolicy 11*m533?:ordinals
StatefulSetUpdateStrategy 1s?:type 2*m531?:rollingUpdate
RollingUpdateStatefulSetStrategy 1*i?:partition 2*m172?:maxUnavailable
StatefulSetPersistentVolumeClaimRetentionPolicy 1s?:whenDeleted 2s?:whenScaled
StatefulSetOrdinals 1i:start
StatefulSetStatus 1l?:observedGeneration 2i:replicas 3i?:readyReplicas 4i?:currentReplicas 5i?:updatedReplicas 6s?:currentRevision 7s?:updateRevision 9*i?:collisionCount 10[]m535?:conditions 11i:availableReplicas
StatefulSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
StatefulSetList 1m20:metadata=ListMeta 2[]m528:items
SelfSubjectReview 1m11:metadata=ObjectMeta 2m538:status
SelfSubjectReviewStatus 1m274:userInfo
TokenRequest 1m11:metadata=ObjectMeta 2m540:spec 3m542:status
TokenRequestSpec 1[]s:audiences 4*l:expirationSeconds 3*m541:boundObjectRef
BoundObjectReference 1s?:kind 2s?:apiVersion=APIVersion 3s?:name 4s?:uid=UID
TokenRequestStatus 1s:token 2m12:expirationTimestamp
TokenReview 1m11:metadata=ObjectMeta 2m544:spec 3m545:status
TokenReviewSpec 1s?:token 2[]s?:audiences
TokenReviewStatus 1b?:authenticated 2m274:user 4[]s?:audiences 3s?:error
SelfSubjectReview 1m11:metadata=ObjectMeta 2m547:status
SelfSubjectReviewStatus 1m274:userInfo
SelfSubjectReview 1m11:metadata=ObjectMeta 2m549:status
SelfSubjectReviewStatus 1m274:userInfo
TokenReview 1m11:metadata=ObjectMeta 2m551:spec 3m552:status
TokenReviewSpec 1s?:token 2[]s?:audiences
TokenReviewStatus 1b?:authenticated 2m553:user 4[]s?:audiences 3s?:error
UserInfo 1s?:username 2s?:uid=UID 3[]s?:groups 4{}m554?:extra
ExtraValue!list 1[]s:items
LocalSubjectAccessReview 1m11:metadata=ObjectMeta 2m556:spec 3m563:status
SubjectAccessReviewSpec 1*m557?:resourceAttributes 2*m561?:nonResourceAttributes 3s?:user 4[]s?:groups 5{}m562?:extra 6s?:uid=UID
ResourceAttributes 1s?:namespace 2s?:verb 3s?:group 4s?:version 5s?:resource 6s?:subresource 7s?:name 8*m558?:fieldSelector 9*m560?:labelSelector
FieldSelectorAttributes 1s?:rawSelector 2[]m559?:requirements
FieldSelectorRequirement 1s:key 2s:operator 3[]s?:values
LabelSelectorAttributes 1s?:rawSelector 2[]m106?:requirements
NonResourceAttributes 1s?:path 2s?:verb
ExtraValue!list 1[]s:items
SubjectAccessReviewStatus 1b:allowed 4b?:denied 2s?:reason 3s?:evaluationError
SelfSubjectAccessReview 1m11:metadata=ObjectMeta 2m565:spec 3m563:status
SelfSubjectAccessReviewSpec 1*m557?:resourceAttributes 2*m561?:nonResourceAttributes
SelfSubjectRulesReview 1m11:metadata=ObjectMeta 2m567:spec 3m568:status
SelfSubjectRulesReviewSpec 1s?:namespace
SubjectRulesReviewStatus 1[]m569:resourceRules 2[]m570:nonResourceRules 3b:incomplete 4s?:evaluationError
ResourceRule 1[]s:verbs 2[]s?:apiGroups=APIGroups 3[]s?:resources 4[]s?:resourceNames
NonResourceRule 1[]s:verbs 2[]s?:nonResourceURLs
SubjectAccessReview 1m11:metadata=ObjectMeta 2m556:spec 3m563:status
LocalSubjectAccessReview 1m11:metadata=ObjectMeta 2m573:spec 3m577:status
SubjectAccessReviewSpec 1*m574?:resourceAttributes 2*m575?:nonResourceAttributes 3s?:user 4[]s?:group=Groups 5{}m576?:extra 6s?:uid=UID
ResourceAttributes 1s?:namespace 2s?:verb 3s?:group 4s?:version 5s?:resource 6s?:subresource 7s?:name 8*m558?:fieldSelector 9*m560?:labelSelector
NonResourceAttributes 1s?:path 2s?:verb
ExtraValue!list 1[]s:items
SubjectAccessReviewStatus 1b:allowed 4b?:denied 2s?:reason 3s?:evaluationError
SelfSubjectAccessReview 1m11:metadata=ObjectMeta 2m579:spec 3m577:status
SelfSubjectAccessReviewSpec 1*m574?:resourceAttributes 2*m575?:nonResourceAttributes
SelfSubjectRulesReview 1m11:metadata=ObjectMeta 2m581:spec 3m582:status
SelfSubjectRulesReviewSpec 1s?:namespace
SubjectRulesReviewStatus 1[]m583:resourceRules 2[]m584:nonResourceRules 3b:incomplete 4s?:evaluationError
ResourceRule 1[]s:verbs 2[]s?:apiGroups=APIGroups 3[]s?:resources 4[]s?:resourceNames
NonResourceRule 1[]s:verbs 2[]s?:nonResourceURLs
SubjectAccessReview 1m11:metadata=ObjectMeta 2m573:spec 3m577:status
HorizontalPodAutoscaler 1m11:metadata=ObjectMeta 2m587:spec 3m589:status
HorizontalPodAutoscalerSpec 1m588:scaleTargetRef 2*i?:minReplicas 3i:maxReplicas 4*i?:targetCPUUtilizationPercentage
CrossVersionObjectReference 1s:kind 2s:name 3s?:apiVersion=APIVersion
HorizontalPodAutoscalerStatus 1*l?:observedGeneration 2*m12?:lastScaleTime 3i:currentReplicas 4i:desiredReplicas 5*i?:currentCPUUtilizationPercentage
HorizontalPodAutoscalerList 1m20:metadata=ListMeta 2[]m586:items
Scale 1m11:metadata=ObjectMeta 2m592:spec 3m593:status
ScaleSpec 1i?:replicas
ScaleStatus 1i:replicas 2s?:selector
HorizontalPodAutoscaler 1m11:metadata=ObjectMeta 2m595:spec 3m608:status
HorizontalPodAutoscalerSpec 1m596:scaleTargetRef 2*i?:minReplicas 3i:maxReplicas 4[]m597?:metrics 5*m605?:behavior
CrossVersionObjectReference 1s:kind 2s:name 3s?:apiVersion=APIVersion
MetricSpec 1s:type 2*m598?:object 3*m601?:pods 4*m602?:resource 7*m603?:containerResource 5*m604?:external
ObjectMetricSource 1m596:describedObject 2m599:target 3m600:metric
MetricTarget 1s:type 2*m41?:value 3*m41?:averageValue 4*i?:averageUtilization
MetricIdentifier 1s:name 2*m105?:selector
PodsMetricSource 1m600:metric 2m599:target
ResourceMetricSource 1s:name 2m599:target
ContainerResourceMetricSource 1s:name 2m599:target 3s:container
ExternalMetricSource 1m600:metric 2m599:target
HorizontalPodAutoscalerBehavior 1*m606?:scaleUp 2*m606?:scaleDown
HPAScalingRules 3*i?:stabilizationWindowSeconds 1*s?:selectPolicy 2[]m607?:policies 4*m41?:tolerance
HPAScalingPolicy 1s:type 2i:value 3i:periodSeconds
HorizontalPodAutoscalerStatus 1*l?:observedGeneration 2*m12?:lastScaleTime 3i?:currentReplicas 4i:desiredReplicas 5[]m609:currentMetrics 6[]m616?:conditions
MetricStatus 1s:type 2*m610?:object 3*m612?:pods 4*m613?:resource 7*m614?:containerResource 5*m615?:external
ObjectMetricStatus 1m600:metric 2m611:current 3m596:describedObject
MetricValueStatus 1*m41?:value 2*m41?:averageValue 3*i?:averageUtilization
PodsMetricStatus 1m600:metric 2m611:current
ResourceMetricStatus 1s:name 2m611:current
ContainerResourceMetricStatus 1s:name 2m611:current 3s:container
ExternalMetricStatus 1m600:metric 2m611:current
HorizontalPodAutoscalerCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
HorizontalPodAutoscalerList 1m20:metadata=ListMeta 2[]m594:items
CronJob 1m11:metadata=ObjectMeta 2m619:spec 3m628:status
CronJobSpec 1s:schedule 8*s?:timeZone 2*l?:startingDeadlineSeconds 3s?:concurrencyPolicy 4*b?:suspend 5m620:jobTemplate 6*i?:successfulJobsHistoryLimit 7*i?:failedJobsHistoryLimit
JobTemplateSpec 1m11:metadata=ObjectMeta 2m621:spec
JobSpec 1*i?:parallelism 2*i?:completions 3*l?:activeDeadlineSeconds 11*m622?:podFailurePolicy 16*m626?:successPolicy 7*i?:backoffLimit 12*i?:backoffLimitPerIndex 13*i?:maxFailedIndexes 4*m105?:selector 5*b?:manualSelector 6m234:template 8*i?:ttlSecondsAfterFinished=TTLSecondsAfterFinished 9*s?:completionMode 10*b?:suspend 14*s?:podReplacementPolicy 15*s?:managedBy
PodFailurePolicy 1[]m623:rules
PodFailurePolicyRule 1s:action 2*m624?:onExitCodes 3[]m625?:onPodConditions
PodFailurePolicyOnExitCodesRequirement 1*s?:containerName 2s:operator 3[]i:values
PodFailurePolicyOnPodConditionsPattern 1s:type 2s:status
SuccessPolicy 1[]m627:rules
SuccessPolicyRule 1*s?:succeededIndexes 2*i?:succeededCount
CronJobStatus 1[]m16?:active 4*m12?:lastScheduleTime 5*m12?:lastSuccessfulTime
CronJobList 1m20:metadata=ListMeta 2[]m618:items
Job 1m11:metadata=ObjectMeta 2m621:spec 3m631:status
JobStatus 1[]m632?:conditions 2*m12?:startTime 3*m12?:completionTime 4i?:active 5i?:succeeded 6i?:failed 11*i?:terminating 7s?:completedIndexes 10*s?:failedIndexes 8*m633?:uncountedTerminatedPods 9*i?:ready
JobCondition 1s:type 2s:status 3m12:lastProbeTime 4m12:lastTransitionTime 5s?:reason 6s?:message
UncountedTerminatedPods 1[]s?:succeeded 2[]s?:failed
JobList 1m20:metadata=ListMeta 2[]m630:items
CronJob 1m11:metadata=ObjectMeta 2m636:spec 3m638:status
CronJobSpec 1s:schedule 8*s?:timeZone 2*l?:startingDeadlineSeconds 3s?:concurrencyPolicy 4*b?:suspend 5m637:jobTemplate 6*i?:successfulJobsHistoryLimit 7*i?:failedJobsHistoryLimit
JobTemplateSpec 1m11:metadata=ObjectMeta 2m621:spec
CronJobStatus 1[]m16?:active 4*m12?:lastScheduleTime 5*m12?:lastSuccessfulTime
CronJobList 1m20:metadata=ListMeta 2[]m635:items
CertificateSigningRequest 1m11:metadata=ObjectMeta 2m641:spec 3m643:status
CertificateSigningRequestSpec 1y:request 7s:signerName 8*i?:expirationSeconds 5[]s?:usages 2s?:username 3s?:uid=UID 4[]s?:groups 6{}m642?:extra
ExtraValue!list 1[]s:items
CertificateSigningRequestStatus 1[]m644?:conditions 2y?:certificate
CertificateSigningRequestCondition 1s:type 6s:status 2s?:reason 3s?:message 4m12:lastUpdateTime 5m12:lastTransitionTime
CertificateSigningRequestList 1m20:metadata=ListMeta 2[]m640:items
ClusterTrustBundle 1m11:metadata=ObjectMeta 2m647:spec
ClusterTrustBundleSpec 1s?:signerName 2s:trustBundle
ClusterTrustBundleList 1m20:metadata=ListMeta 2[]m646:items
CertificateSigningRequest 1m11:metadata=ObjectMeta 2m650:spec 3m652:status
CertificateSigningRequestSpec 1y:request 7*s?:signerName 8*i?:expirationSeconds 5[]s?:usages 2s?:username 3s?:uid=UID 4[]s?:groups 6{}m651?:extra
ExtraValue!list 1[]s:items
CertificateSigningRequestStatus 1[]m653?:conditions 2y?:certificate
CertificateSigningRequestCondition 1s:type 6s:status 2s?:reason 3s?:message 4m12:lastUpdateTime 5m12:lastTransitionTime
CertificateSigningRequestList 1m20:metadata=ListMeta 2[]m649:items
ClusterTrustBundle 1m11:metadata=ObjectMeta 2m656:spec
ClusterTrustBundleSpec 1s?:signerName 2s:trustBundle
ClusterTrustBundleList 1m20:metadata=ListMeta 2[]m655:items
PodCertificateRequest 1m11:metadata=ObjectMeta 2m659:spec 3m660:status
PodCertificateRequestSpec 1s:signerName 2s:podName 3s:podUID 4s:serviceAccountName 5s:serviceAccountUID 6s:nodeName 7s:nodeUID 8*i?:maxExpirationSeconds 9y:pkixPublicKey=PKIXPublicKey 10y:proofOfPossession 12y:stubPKCS10Request 11{}s?:unverifiedUserAnnotations
PodCertificateRequestStatus 1[]m260?:conditions 2s?:certificateChain 4*m12?:notBefore 5*m12?:beginRefreshAt 6*m12?:notAfter
PodCertificateRequestList 1m20:metadata=ListMeta 2[]m658:items
Lease 1m11:metadata=ObjectMeta 2m663:spec
LeaseSpec 1*s?:holderIdentity 2*i?:leaseDurationSeconds 3*m34?:acquireTime 4*m34?:renewTime 5*i?:leaseTransitions 6*s?:strategy 7*s?:preferredHolder
LeaseList 1m20:metadata=ListMeta 2[]m662:items
LeaseCandidate 1m11:metadata=ObjectMeta 2m666:spec
LeaseCandidateSpec 1s:leaseName 2*m34?:pingTime 3*m34?:renewTime 4s:binaryVersion 5s?:emulationVersion 6s?:strategy
LeaseCandidateList 1m20:metadata=ListMeta 2[]m665:items
Lease 1m11:metadata=ObjectMeta 2m669:spec
LeaseSpec 1*s?:holderIdentity 2*i?:leaseDurationSeconds 3*m34?:acquireTime 4*m34?:renewTime 5*i?:leaseTransitions 6*s?:strategy 7*s?:preferredHolder
LeaseCandidate 1m11:metadata=ObjectMeta 2m671:spec
LeaseCandidateSpec 1s:leaseName 2*m34?:pingTime 3*m34?:renewTime 4s:binaryVersion 5s?:emulationVersion 6s?:strategy
LeaseCandidateList 1m20:metadata=ListMeta 2[]m670:items
LeaseList 1m20:metadata=ListMeta 2[]m668:items
EndpointSlice 1m11:metadata=ObjectMeta 4s:addressType 2[]m675:endpoints 3[]m680:ports
Endpoint 1[]s:addresses 2m676:conditions 3*s?:hostname 4*m16?:targetRef 5{}s?:deprecatedTopology 6*s?:nodeName 7*s?:zone 8*m677?:hints
EndpointConditions 1*b?:ready 2*b?:serving 3*b?:terminating
EndpointHints 1[]m678?:forZones 2[]m679?:forNodes
ForZone 1s:name
ForNode 1s:name
EndpointPort 1*s?:name 2*s?:protocol 3*i?:port 4*s?:appProtocol
EndpointSliceList 1m20:metadata=ListMeta 2[]m674:items
EndpointSlice 1m11:metadata=ObjectMeta 4s:addressType 2[]m683:endpoints 3[]m688:ports
Endpoint 1[]s:addresses 2m684:conditions 3*s?:hostname 4*m16?:targetRef 5{}s?:topology 6*s?:nodeName 7*m685?:hints
EndpointConditions 1*b?:ready 2*b?:serving 3*b?:terminating
EndpointHints 1[]m686?:forZones 2[]m687?:forNodes
ForZone 1s:name
ForNode 1s:name
EndpointPort 1*s?:name 2*s?:protocol 3*i?:port 4*s?:appProtocol
EndpointSliceList 1m20:metadata=ListMeta 2[]m682:items
Event 1m11:metadata=ObjectMeta 2m34:eventTime 3*m691?:series 4s?:reportingController 5s?:reportingInstance 6s?:action 7s?:reason 8m16:regarding 9*m16?:related 10s?:note 11s?:type 12m33:deprecatedSource 13m12:deprecatedFirstTimestamp 14m12:deprecatedLastTimestamp 15i?:deprecatedCount
EventSeries 1i:count 2m34:lastObservedTime
EventList 1m20:metadata=ListMeta 2[]m690:items
Event 1m11:metadata=ObjectMeta 2m34:eventTime 3*m694?:series 4s?:reportingController 5s?:reportingInstance 6s?:action 7s?:reason 8m16:regarding 9*m16?:related 10s?:note 11s?:type 12m33:deprecatedSource 13m12:deprecatedFirstTimestamp 14m12:deprecatedLastTimestamp 15i?:deprecatedCount
EventSeries 1i:count 2m34:lastObservedTime
EventList 1m20:metadata=ListMeta 2[]m693:items
DaemonSet 1m11:metadata=ObjectMeta 2m697:spec 3m700:status
DaemonSetSpec 1*m105?:selector 2m234:template 3m698:updateStrategy 4i?:minReadySeconds 5l?:templateGeneration 6*i?:revisionHistoryLimit
DaemonSetUpdateStrategy 1s?:type 2*m699?:rollingUpdate
RollingUpdateDaemonSet 1*m172?:maxUnavailable 2*m172?:maxSurge
DaemonSetStatus 1i:currentNumberScheduled 2i:numberMisscheduled 3i:desiredNumberScheduled 4i:numberReady 5l?:observedGeneration 6i?:updatedNumberScheduled 7i?:numberAvailable 8i?:numberUnavailable 9*i?:collisionCount 10[]m701?:conditions
DaemonSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
DaemonSetList 1m20:metadata=ListMeta 2[]m696:items
Deployment 1m11:metadata=ObjectMeta 2m704:spec 3m708:status
DeploymentSpec 1*i?:replicas 2*m105?:selector 3m234:template 4m705:strategy 5i?:minReadySeconds 6*i?:revisionHistoryLimit 7b?:paused 8*m707?:rollbackTo 9*i?:progressDeadlineSeconds
DeploymentStrategy 1s?:type 2*m706?:rollingUpdate
RollingUpdateDeployment 1*m172?:maxUnavailable 2*m172?:maxSurge
RollbackConfig 1l?:revision
DeploymentStatus 1l?:observedGeneration 2i?:replicas 3i?:updatedReplicas 7i?:readyReplicas 4i?:availableReplicas 5i?:unavailableReplicas 9*i?:terminatingReplicas 6[]m709?:conditions 8*i?:collisionCount
DeploymentCondition 1s:type 2s:status 6m12:lastUpdateTime 7m12:lastTransitionTime 4s?:reason 5s?:message
DeploymentList 1m20:metadata=ListMeta 2[]m703:items
DeploymentRollback 1s:name 2{}s?:updatedAnnotations 3m707:rollbackTo
Ingress 1m11:metadata=ObjectMeta 2m713:spec 3m720:status
IngressSpec 4*s?:ingressClassName 1*m714?:backend 2[]m715?:tls=TLS 3[]m716?:rules
IngressBackend 1s?:serviceName 2m172:servicePort 3*m108?:resource
IngressTLS 1[]s?:hosts 2s?:secretName
IngressRule 1s?:host 2m717:=IngressRuleValue
IngressRuleValue 1*m718?:http=HTTP
HTTPIngressRuleValue 1[]m719:paths
HTTPIngressPath 1s?:path 3*s?:pathType 2m714:backend
IngressStatus 1m721:loadBalancer
IngressLoadBalancerStatus 1[]m722?:ingress
IngressLoadBalancerIngress 1s?:ip=IP 2s?:hostname 4[]m723?:ports
IngressPortStatus 1i:port 2s:protocol 3*s?:error
IngressList 1m20:metadata=ListMeta 2[]m712:items
NetworkPolicy 1m11:metadata=ObjectMeta 2m726:spec
NetworkPolicySpec 1m105:podSelector 2[]m727?:ingress 3[]m731?:egress 4[]s?:policyTypes
NetworkPolicyIngressRule 1[]m728?:ports 2[]m729?:from
NetworkPolicyPort 1*s?:protocol 2*m172?:port 3*i?:endPort
NetworkPolicyPeer 1*m105?:podSelector 2*m105?:namespaceSelector 3*m730?:ipBlock=IPBlock
IPBlock 1s:cidr=CIDR 2[]s?:except
NetworkPolicyEgressRule 1[]m728?:ports 2[]m729?:to
NetworkPolicyList 1m20:metadata=ListMeta 2[]m725:items
ReplicaSet 1m11:metadata=ObjectMeta 2m734:spec 3m735:status
ReplicaSetSpec 1*i?:replicas 4i?:minReadySeconds 2*m105?:selector 3m234:template
ReplicaSetStatus 1i:replicas 2i?:fullyLabeledReplicas 4i?:readyReplicas 5i?:availableReplicas 7*i?:terminatingReplicas 3l?:observedGeneration 6[]m736?:conditions
ReplicaSetCondition 1s:type 2s:status 3m12:lastTransitionTime 4s?:reason 5s?:message
ReplicaSetList 1m20:metadata=ListMeta 2[]m733:items
Scale 1m11:metadata=ObjectMeta 2m739:spec 3m740:status
ScaleSpec 1i?:replicas
ScaleStatus 1i:replicas 2{}s?:selector 3s?:targetSelector
FlowSchema 1m11:metadata=ObjectMeta 2m742:spec 3m752:status
FlowSchemaSpec 1m743:priorityLevelConfiguration 2i:matchingPrecedence 3*m744?:distinguisherMethod 4[]m745?:rules
PriorityLevelConfigurationReference 1s:name
FlowDistinguisherMethod 1s:type
PolicyRulesWithSubjects 1[]m746:subjects 2[]m750?:resourceRules 3[]m751?:nonResourceRules
Subject 1s:kind 2*m747?:user 3*m748?:group 4*m749?:serviceAccount
UserSubject 1s:name
GroupSubject 1s:name
ServiceAccountSubject 1s:namespace 2s:name
ResourcePolicyRule 1[]s:verbs 2[]s:apiGroups=APIGroups 3[]s:resources 4b?:clusterScope 5[]s:namespaces
NonResourcePolicyRule 1[]s:verbs 6[]s:nonResourceURLs
FlowSchemaStatus 1[]m753?:conditions
FlowSchemaCondition 1s?:type 2s?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
FlowSchemaList 1m20:metadata=ListMeta 2[]m741:items
PriorityLevelConfiguration 1m11:metadata=ObjectMeta 2m756:spec 3m761:status
PriorityLevelConfigurationSpec 1s:type 2*m757?:limited 3*m760?:exempt
LimitedPriorityLevelConfiguration 1*i:nominalConcurrencyShares 2m758:limitResponse 3*i?:lendablePercent 4*i?:borrowingLimitPercent
LimitResponse 1s:type 2*m759?:queuing
QueuingConfiguration 1i:queues 2i:handSize 3i:queueLengthLimit
ExemptPriorityLevelConfiguration 1*i?:nominalConcurrencyShares 2*i?:lendablePercent
PriorityLevelConfigurationStatus 1[]m762?:conditions
PriorityLevelConfigurationCondition 1s?:type 2s?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
PriorityLevelConfigurationList 1m20:metadata=ListMeta 2[]m755:items
FlowSchema 1m11:metadata=ObjectMeta 2m765:spec 3m775:status
FlowSchemaSpec 1m766:priorityLevelConfiguration 2i:matchingPrecedence 3*m767?:distinguisherMethod 4[]m768?:rules
PriorityLevelConfigurationReference 1s:name
FlowDistinguisherMethod 1s:type
PolicyRulesWithSubjects 1[]m769:subjects 2[]m773?:resourceRules 3[]m774?:nonResourceRules
Subject 1s:kind 2*m770?:user 3*m771?:group 4*m772?:serviceAccount
UserSubject 1s:name
GroupSubject 1s:name
ServiceAccountSubject 1s:namespace 2s:name
ResourcePolicyRule 1[]s:verbs 2[]s:apiGroups=APIGroups 3[]s:resources 4b?:clusterScope 5[]s:namespaces
NonResourcePolicyRule 1[]s:verbs 6[]s:nonResourceURLs
FlowSchemaStatus 1[]m776?:conditions
FlowSchemaCondition 1s?:type 2s?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
FlowSchemaList 1m20:metadata=ListMeta 2[]m764:items
PriorityLevelConfiguration 1m11:metadata=ObjectMeta 2m779:spec 3m784:status
PriorityLevelConfigurationSpec 1s:type 2*m780?:limited 3*m783?:exempt
LimitedPriorityLevelConfiguration 1i:assuredConcurrencyShares 2m781:limitResponse 3*i?:lendablePercent 4*i?:borrowingLimitPercent
LimitResponse 1s:type 2*m782?:queuing
QueuingConfiguration 1i:queues 2i:handSize 3i:queueLengthLimit
ExemptPriorityLevelConfiguration 1*i?:nominalConcurrencyShares 2*i?:lendablePercent
PriorityLevelConfigurationStatus 1[]m785?:conditions
PriorityLevelConfigurationCondition 1s?:type 2s?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
PriorityLevelConfigurationList 1m20:metadata=ListMeta 2[]m778:items
FlowSchema 1m11:metadata=ObjectMeta 2m788:spec 3m798:status
FlowSchemaSpec 1m789:priorityLevelConfiguration 2i:matchingPrecedence 3*m790?:distinguisherMethod 4[]m791?:rules
PriorityLevelConfigurationReference 1s:name
FlowDistinguisherMethod 1s:type
PolicyRulesWithSubjects 1[]m792:subjects 2[]m796?:resourceRules 3[]m797?:nonResourceRules
Subject 1s:kind 2*m793?:user 3*m794?:group 4*m795?:serviceAccount
UserSubject 1s:name
GroupSubject 1s:name
ServiceAccountSubject 1s:namespace 2s:name
ResourcePolicyRule 1[]s:verbs 2[]s:apiGroups=APIGroups 3[]s:resources 4b?:clusterScope 5[]s:namespaces
NonResourcePolicyRule 1[]s:verbs 6[]s:nonResourceURLs
FlowSchemaStatus 1[]m799?:conditions
FlowSchemaCondition 1s?:type 2s?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
FlowSchemaList 1m20:metadata=ListMeta 2[]m787:items
PriorityLevelConfiguration 1m11:metadata=ObjectMeta 2m802:spec 3m807:status
PriorityLevelConfigurationSpec 1s:type 2*m803?:limited 3*m806?:exempt
LimitedPriorityLevelConfiguration 1i:assuredConcurrencyShares 2m804:limitResponse 3*i?:lendablePercent 4*i?:borrowingLimitPercent
LimitResponse 1s:type 2*m805?:queuing
QueuingConfiguration 1i:queues 2i:handSize 3i:queueLengthLimit
ExemptPriorityLevelConfiguration 1*i?:nominalConcurrencyShares 2*i?:lendablePercent
PriorityLevelConfigurationStatus 1[]m808?:conditions
PriorityLevelConfigurationCondition 1s?:type 2s?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
PriorityLevelConfigurationList 1m20:metadata=ListMeta 2[]m801:items
FlowSchema 1m11:metadata=ObjectMeta 2m811:spec 3m821:status
FlowSchemaSpec 1m812:priorityLevelConfiguration 2i:matchingPrecedence 3*m813?:distinguisherMethod 4[]m814?:rules
PriorityLevelConfigurationReference 1s:name
FlowDistinguisherMethod 1s:type
PolicyRulesWithSubjects 1[]m815:subjects 2[]m819?:resourceRules 3[]m820?:nonResourceRules
Subject 1s:kind 2*m816?:user 3*m817?:group 4*m818?:serviceAccount
UserSubject 1s:name
GroupSubject 1s:name
ServiceAccountSubject 1s:namespace 2s:name
ResourcePolicyRule 1[]s:verbs 2[]s:apiGroups=APIGroups 3[]s:resources 4b?:clusterScope 5[]s:namespaces
NonResourcePolicyRule 1[]s:verbs 6[]s:nonResourceURLs
FlowSchemaStatus 1[]m822?:conditions
FlowSchemaCondition 1s?:type 2s?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
FlowSchemaList 1m20:metadata=ListMeta 2[]m810:items
PriorityLevelConfiguration 1m11:metadata=ObjectMeta 2m825:spec 3m830:status
PriorityLevelConfigurationSpec 1s:type 2*m826?:limited 3*m829?:exempt
LimitedPriorityLevelConfiguration 1i:nominalConcurrencyShares 2m827:limitResponse 3*i?:lendablePercent 4*i?:borrowingLimitPercent
LimitResponse 1s:type 2*m828?:queuing
QueuingConfiguration 1i:queues 2i:handSize 3i:queueLengthLimit
ExemptPriorityLevelConfiguration 1*i?:nominalConcurrencyShares 2*i?:lendablePercent
PriorityLevelConfigurationStatus 1[]m831?:conditions
PriorityLevelConfigurationCondition 1s?:type 2s?:status 3m12:lastTransitionTime 4s?:reason 5s?:message
PriorityLevelConfigurationList 1m20:metadata=ListMeta 2[]m824:items
ImageReview 1m11:metadata=ObjectMeta 2m834:spec 3m836:status
ImageReviewSpec 1[]m835?:containers 2{}s?:annotations 3s?:namespace
ImageReviewContainerSpec 1s?:image
ImageReviewStatus 1b:allowed 2s?:reason 3{}s?:auditAnnotations
StorageVersion 1m11:metadata=ObjectMeta 2m838:spec 3m839:status
StorageVersionSpec
StorageVersionStatus 1[]m840?:storageVersions 2*s?:commonEncodingVersion 3[]m841?:conditions
ServerStorageVersion 1s?:apiServerID=APIServerID 2s?:encodingVersion 3[]s?:decodableVersions 4[]s?:servedVersions
StorageVersionCondition 1s:type 2s:status 3l?:observedGeneration 4m12:lastTransitionTime 5s:reason 6s?:message
StorageVersionList 1m20:metadata=ListMeta 2[]m837:items
PartialObjectMetadata 1m11:metadata=ObjectMeta
PartialObjectMetadataList 1m20:metadata=ListMeta 2[]m843:items
TableOptions 1s?:includeObject
PartialObjectMetadataList 2m20:metadata=ListMeta 1[]m843:items
IPAddress 1m11:metadata=ObjectMeta 2m848:spec
IPAddressSpec 1*m849?:parentRef
ParentReference 1s?:group 2s?:resource 3s?:namespace 4s?:name
IPAddressList 1m20:metadata=ListMeta 2[]m847:items
Ingress 1m11:metadata=ObjectMeta 2m852:spec 3m861:status
IngressSpec 4*s?:ingressClassName 1*m853?:defaultBackend 2[]m856?:tls=TLS 3[]m857?:rules
IngressBackend 4*m854?:service 3*m108?:resource
IngressServiceBackend 1s:name 2m855:port
ServiceBackendPort 1s?:name 2i?:number
IngressTLS 1[]s?:hosts 2s?:secretName
IngressRule 1s?:host 2m858:=IngressRuleValue
IngressRuleValue 1*m859?:http=HTTP
HTTPIngressRuleValue 1[]m860:paths
HTTPIngressPath 1s?:path 3*s:pathType 2m853:backend
IngressStatus 1m862:loadBalancer
IngressLoadBalancerStatus 1[]m863?:ingress
IngressLoadBalancerIngress 1s?:ip=IP 2s?:hostname 4[]m864?:ports
IngressPortStatus 1i:port 2s:protocol 3*s?:error
IngressClass 1m11:metadata=ObjectMeta 2m866:spec
IngressClassSpec 1s?:controller 2*m867?:parameters
IngressClassParametersReference 1*s?:apiGroup=APIGroup 2s:kind 3s:name 4*s:scope 5*s?:namespace
IngressClassList 1m20:metadata=ListMeta 2[]m865:items
IngressList 1m20:metadata=ListMeta 2[]m851:items
NetworkPolicy 1m11:metadata=ObjectMeta 2m871:spec
NetworkPolicySpec 1m105:podSelector 2[]m872?:ingress 3[]m876?:egress 4[]s?:policyTypes
NetworkPolicyIngressRule 1[]m873?:ports 2[]m874?:from
NetworkPolicyPort 1*s?:protocol 2*m172?:port 3*i?:endPort
NetworkPolicyPeer 1*m105?:podSelector 2*m105?:namespaceSelector 3*m875?:ipBlock=IPBlock
IPBlock 1s:cidr=CIDR 2[]s?:except
NetworkPolicyEgressRule 1[]m873?:ports 2[]m874?:to
NetworkPolicyList 1m20:metadata=ListMeta 2[]m870:items
ServiceCIDR 1m11:metadata=ObjectMeta 2m879:spec 3m880:status
ServiceCIDRSpec 1[]s?:cidrs=CIDRs
ServiceCIDRStatus 1[]m260?:conditions
ServiceCIDRList 1m20:metadata=ListMeta 2[]m878:items
IPAddress 1m11:metadata=ObjectMeta 2m883:spec
IPAddressSpec 1*m884?:parentRef
ParentReference 1s?:group 2s?:resource 3s?:namespace 4s?:name
IPAddressList 1m20:metadata=ListMeta 2[]m882:items
Ingress 1m11:metadata=ObjectMeta 2m887:spec 3m894:status
IngressSpec 4*s?:ingressClassName 1*m888?:backend 2[]m889?:tls=TLS 3[]m890?:rules
IngressBackend 1s?:serviceName 2m172:servicePort 3*m108?:resource
IngressTLS 1[]s?:hosts 2s?:secretName
IngressRule 1s?:host 2m891:=IngressRuleValue
IngressRuleValue 1*m892?:http=HTTP
HTTPIngressRuleValue 1[]m893:paths
HTTPIngressPath 1s?:path 3*s?:pathType 2m888:backend
IngressStatus 1m895:loadBalancer
IngressLoadBalancerStatus 1[]m896?:ingress
IngressLoadBalancerIngress 1s?:ip=IP 2s?:hostname 4[]m897?:ports
IngressPortStatus 1i:port 2s:protocol 3*s?:error
IngressClass 1m11:metadata=ObjectMeta 2m899:spec
IngressClassSpec 1s?:controller 2*m900?:parameters
IngressClassParametersReference 1*s?:apiGroup=APIGroup 2s:kind 3s:name 4*s:scope 5*s?:namespace
IngressClassList 1m20:metadata=ListMeta 2[]m898:items
IngressList 1m20:metadata=ListMeta 2[]m886:items
ServiceCIDR 1m11:metadata=ObjectMeta 2m904:spec 3m905:status
ServiceCIDRSpec 1[]s?:cidrs=CIDRs
ServiceCIDRStatus 1[]m260?:conditions
ServiceCIDRList 1m20:metadata=ListMeta 2[]m903:items
RuntimeClass 1m11:metadata=ObjectMeta 2s:handler 3*m908?:overhead 4*m909?:scheduling
Overhead 1{}m41?:podFixed
Scheduling 1{}s?:nodeSelector 2[]m196?:tolerations
RuntimeClassList 1m20:metadata=ListMeta 2[]m907:items
RuntimeClass 1m11:metadata=ObjectMeta 2m912:spec
RuntimeClassSpec 1s:runtimeHandler 2*m913?:overhead 3*m914?:scheduling
Overhead 1{}m41?:podFixed
Scheduling 1{}s?:nodeSelector 2[]m196?:tolerations
RuntimeClassList 1m20:metadata=ListMeta 2[]m911:items
RuntimeClass 1m11:metadata=ObjectMeta 2s:handler 3*m917?:overhead 4*m918?:scheduling
Overhead 1{}m41?:podFixed
Scheduling 1{}s?:nodeSelector 2[]m196?:tolerations
RuntimeClassList 1m20:metadata=ListMeta 2[]m916:items
Eviction 1m11:metadata=ObjectMeta 2*m25?:deleteOptions
PodDisruptionBudget 1m11:metadata=ObjectMeta 2m922:spec 3m923:status
PodDisruptionBudgetSpec 1*m172?:minAvailable 2*m105?:selector 3*m172?:maxUnavailable 4*s?:unhealthyPodEvictionPolicy
PodDisruptionBudgetStatus 1l?:observedGeneration 2{}m12?:disruptedPods 3i:disruptionsAllowed 4i:currentHealthy 5i:desiredHealthy 6i:expectedPods 7[]m260?:conditions
PodDisruptionBudgetList 1m20:metadata=ListMeta 2[]m921:items
Eviction 1m11:metadata=ObjectMeta 2*m25?:deleteOptions
PodDisruptionBudget 1m11:metadata=ObjectMeta 2m927:spec 3m928:status
PodDisruptionBudgetSpec 1*m172?:minAvailable 2*m105?:selector 3*m172?:maxUnavailable 4*s?:unhealthyPodEvictionPolicy
PodDisruptionBudgetStatus 1l?:observedGeneration 2{}m12?:disruptedPods 3i:disruptionsAllowed 4i:currentHealthy 5i:desiredHealthy 6i:expectedPods 7[]m260?:conditions
PodDisruptionBudgetList 1m20:metadata=ListMeta 2[]m926:items
ClusterRole 1m11:metadata=ObjectMeta 2[]m931:rules 3*m932?:aggregationRule
PolicyRule 1[]s:verbs 2[]s?:apiGroups=APIGroups 3[]s?:resources 4[]s?:resourceNames 5[]s?:nonResourceURLs
AggregationRule 1[]m105?:clusterRoleSelectors
ClusterRoleBinding 1m11:metadata=ObjectMeta 2[]m934?:subjects 3m935:roleRef
Subject 1s:kind 2s?:apiGroup=APIGroup 3s:name 4s?:namespace
RoleRef 1s:apiGroup=APIGroup 2s:kind 3s:name
ClusterRoleBindingList 1m20:metadata=ListMeta 2[]m933:items
ClusterRoleList 1m20:metadata=ListMeta 2[]m930:items
Role 1m11:metadata=ObjectMeta 2[]m931:rules
RoleBinding 1m11:metadata=ObjectMeta 2[]m934?:subjects 3m935:roleRef
RoleBindingList 1m20:metadata=ListMeta 2[]m939:items
RoleList 1m20:metadata=ListMeta 2[]m938:items
ClusterRole 1m11:metadata=ObjectMeta 2[]m943:rules 3*m944?:aggregationRule
PolicyRule 1[]s:verbs 3[]s?:apiGroups=APIGroups 4[]s?:resources 5[]s?:resourceNames 6[]s?:nonResourceURLs
AggregationRule 1[]m105?:clusterRoleSelectors
ClusterRoleBinding 1m11:metadata=ObjectMeta 2[]m946?:subjects 3m947:roleRef
Subject 1s:kind 2s?:apiVersion=APIVersion 3s:name 4s?:namespace
RoleRef 1s:apiGroup=APIGroup 2s:kind 3s:name
ClusterRoleBindingList 1m20:metadata=ListMeta 2[]m945:items
ClusterRoleList 1m20:metadata=ListMeta 2[]m942:items
Role 1m11:metadata=ObjectMeta 2[]m943:rules
RoleBinding 1m11:metadata=ObjectMeta 2[]m946?:subjects 3m947:roleRef
RoleBindingList 1m20:metadata=ListMeta 2[]m951:items
RoleList 1m20:metadata=ListMeta 2[]m950:items
ClusterRole 1m11:metadata=ObjectMeta 2[]m955:rules 3*m956?:aggregationRule
PolicyRule 1[]s:verbs 2[]s?:apiGroups=APIGroups 3[]s?:resources 4[]s?:resourceNames 5[]s?:nonResourceURLs
AggregationRule 1[]m105?:clusterRoleSelectors
ClusterRoleBinding 1m11:metadata=ObjectMeta 2[]m958?:subjects 3m959:roleRef
Subject 1s:kind 2s?:apiGroup=APIGroup 3s:name 4s?:namespace
RoleRef 1s:apiGroup=APIGroup 2s:kind 3s:name
ClusterRoleBindingList 1m20:metadata=ListMeta 2[]m957:items
ClusterRoleList 1m20:metadata=ListMeta 2[]m954:items
Role 1m11:metadata=ObjectMeta 2[]m955:rules
RoleBinding 1m11:metadata=ObjectMeta 2[]m958?:subjects 3m959:roleRef
RoleBindingList 1m20:metadata=ListMeta 2[]m963:items
RoleList 1m20:metadata=ListMeta 2[]m962:items
DeviceClass 1m11:metadata=ObjectMeta 2m967:spec
DeviceClassSpec 1[]m968?:selectors 2[]m970?:config 4*s?:extendedResourceName
DeviceSelector 1*m969?:cel=CEL
CELDeviceSelector 1s:expression
DeviceClassConfiguration 1m971:=DeviceConfiguration
DeviceConfiguration 1*m972?:opaque
OpaqueDeviceConfiguration 1s:driver 2m44:parameters
DeviceClassList 1m20:metadata=ListMeta 2[]m966:items
ResourceClaim 1m11:metadata=ObjectMeta 2m975:spec 3m984:status
ResourceClaimSpec 1m976:devices
DeviceClaim 1[]m977:requests 2[]m982?:constraints 3[]m983?:config
DeviceRequest 1s:name 2*m978?:exactly 3[]m981?:firstAvailable
ExactDeviceRequest 1s:deviceClassName 2[]m968?:selectors 3s?:allocationMode 4l?:count 5*b?:adminAccess 6[]m979?:tolerations 7*m980?:capacity
DeviceToleration 1s?:key 2s?:operator 3s?:value 4s?:effect 5*l?:tolerationSeconds
CapacityRequirements 1{}m41?:requests
DeviceSubRequest 1s:name 2s:deviceClassName 3[]m968?:selectors 4s?:allocationMode 5l?:count 6[]m979?:tolerations 7*m980?:capacity
DeviceConstraint 1[]s?:requests 2*s?:matchAttribute 3*s?:distinctAttribute
DeviceClaimConfiguration 1[]s?:requests 2m971:=DeviceConfiguration
ResourceClaimStatus 1*m985?:allocation 2[]m989?:reservedFor 4[]m990?:devices
AllocationResult 1m986:devices 3*m99?:nodeSelector 5*m12?:allocationTimestamp
DeviceAllocationResult 1[]m987?:results 2[]m988?:config
DeviceRequestAllocationResult 1s:request 2s:driver 3s:pool 4s:device 5*b?:adminAccess 6[]m979?:tolerations 7[]s?:bindingConditions 8[]s?:bindingFailureConditions 9*s?:shareID 10{}m41?:consumedCapacity
DeviceAllocationConfiguration 1s:source 2[]s?:requests 3m971:=DeviceConfiguration
ResourceClaimConsumerReference 1s?:apiGroup=APIGroup 3s:resource 4s:name 5s:uid=UID
AllocatedDeviceStatus 1s:driver 2s:pool 3s:device 7*s?:shareID 4[]m260:conditions 5*m44?:data 6*m991?:networkData
NetworkDeviceData 1s?:interfaceName 2[]s?:ips=IPs 3s?:hardwareAddress
ResourceClaimList 1m20:metadata=ListMeta 2[]m974:items
ResourceClaimTemplate 1m11:metadata=ObjectMeta 2m994:spec
ResourceClaimTemplateSpec 1m11:metadata=ObjectMeta 2m975:spec
ResourceClaimTemplateList 1m20:metadata=ListMeta 2[]m993:items
ResourceSlice 1m11:metadata=ObjectMeta 2m997:spec
ResourceSliceSpec 1s:driver 2m998:pool 3*s?:nodeName 4*m99?:nodeSelector 5*b?:allNodes 6[]m999?:devices 7*b?:perDeviceNodeSelection 8[]m1008?:sharedCounters
ResourcePool 1s:name 2l:generation 3l:resourceSliceCount
Device 1s:name 2{}m1000?:attributes 3{}m1001?:capacity 4[]m1004?:consumesCounters 5*s?:nodeName 6*m99?:nodeSelector 7*b?:allNodes 8[]m1006?:taints 9*b?:bindsToNode 10[]s?:bindingConditions 11[]s?:bindingFailureConditions 12*b?:allowMultipleAllocations 13{}m1007?:nodeAllocatableResourceMappings
DeviceAttribute 2*l?:int=IntValue 3*b?:bool=BoolValue 4*s?:string=StringValue 5*s?:version=VersionValue 6[]l?:ints=IntValues 7[]b?:bools=BoolValues 8[]s?:strings=StringValues 9[]s?:versions=VersionValues
DeviceCapacity 1m41:value 2*m1002?:requestPolicy
CapacityRequestPolicy 1*m41:default 3[]m41?:validValues 4*m1003?:validRange
CapacityRequestPolicyRange 1*m41?:min 2*m41?:max 3*m41?:step
DeviceCounterConsumption 1s:counterSet 2{}m1005?:counters
Counter 1m41:value
DeviceTaint 1s:key 2s?:value 3s:effect 4*m12?:timeAdded
NodeAllocatableResourceMapping 1*s?:capacityKey 2*m41?:allocationMultiplier
CounterSet 1s:name 2{}m1005?:counters
ResourceSliceList 1m20:metadata=ListMeta 2[]m996:items
DeviceTaintRule 1m11:metadata=ObjectMeta 2m1011:spec 3m1014:status
DeviceTaintRuleSpec 1*m1012?:deviceSelector 2m1013:taint
DeviceTaintSelector 2*s?:driver 3*s?:pool 4*s?:device
DeviceTaint 1s:key 2s?:value 3s:effect 4*m12?:timeAdded
DeviceTaintRuleStatus 1[]m260?:conditions
DeviceTaintRuleList 1m20:metadata=ListMeta 2[]m1010:items
ResourcePoolStatusRequest 1m11:metadata=ObjectMeta 2m1017:spec 3*m1018?:status
ResourcePoolStatusRequestSpec 1s:driver 2*s?:poolName 3*i?:limit
ResourcePoolStatusRequestStatus 6*i?:poolCount 2[]m1019?:pools 3[]m260?:conditions
PoolStatus 1s?:driver 2s?:poolName 9l:generation 8*i?:resourceSliceCount 4*i?:totalDevices 5*i?:allocatedDevices 6*i?:availableDevices 7*i?:unavailableDevices 3*s?:nodeName 10*s?:validationError
ResourcePoolStatusRequestList 1m20:metadata=ListMeta 2[]m1016:items
DeviceClass 1m11:metadata=ObjectMeta 2m1022:spec
DeviceClassSpec 1[]m1023?:selectors 2[]m1025?:config 4*s?:extendedResourceName
DeviceSelector 1*m1024?:cel=CEL
CELDeviceSelector 1s:expression
DeviceClassConfiguration 1m1026:=DeviceConfiguration
DeviceConfiguration 1*m1027?:opaque
OpaqueDeviceConfiguration 1s:driver 2m44:parameters
DeviceClassList 1m20:metadata=ListMeta 2[]m1021:items
ResourceClaim 1m11:metadata=ObjectMeta 2m1030:spec 3m1038:status
ResourceClaimSpec 1m1031:devices
DeviceClaim 1[]m1032:requests 2[]m1036?:constraints 3[]m1037?:config
DeviceRequest 1s:name 2s:deviceClassName 3[]m1023?:selectors 4s?:allocationMode 5l?:count 6*b?:adminAccess 7[]m1033?:firstAvailable 8[]m1034?:tolerations 9*m1035?:capacity
DeviceSubRequest 1s:name 2s:deviceClassName 3[]m1023?:selectors 4s?:allocationMode 5l?:count 7[]m1034?:tolerations 8*m1035?:capacity
DeviceToleration 1s?:key 2s?:operator 3s?:value 4s?:effect 5*l?:tolerationSeconds
CapacityRequirements 1{}m41?:requests
DeviceConstraint 1[]s?:requests 2*s?:matchAttribute 3*s?:distinctAttribute
DeviceClaimConfiguration 1[]s?:requests 2m1026:=DeviceConfiguration
ResourceClaimStatus 1*m1039?:allocation 2[]m1043?:reservedFor 4[]m1044?:devices
AllocationResult 1m1040:devices 3*m99?:nodeSelector 5*m12?:allocationTimestamp
DeviceAllocationResult 1[]m1041?:results 2[]m1042?:config
DeviceRequestAllocationResult 1s:request 2s:driver 3s:pool 4s:device 5*b?:adminAccess 6[]m1034?:tolerations 7[]s?:bindingConditions 8[]s?:bindingFailureConditions 9*s?:shareID 10{}m41?:consumedCapacity
DeviceAllocationConfiguration 1s:source 2[]s?:requests 3m1026:=DeviceConfiguration
ResourceClaimConsumerReference 1s?:apiGroup=APIGroup 3s:resource 4s:name 5s:uid=UID
AllocatedDeviceStatus 1s:driver 2s:pool 3s:device 7*s?:shareID 4[]m260:conditions 5*m44?:data 6*m1045?:networkData
NetworkDeviceData 1s?:interfaceName 2[]s?:ips=IPs 3s?:hardwareAddress
ResourceClaimList 1m20:metadata=ListMeta 2[]m1029:items
ResourceClaimTemplate 1m11:metadata=ObjectMeta 2m1048:spec
ResourceClaimTemplateSpec 1m11:metadata=ObjectMeta 2m1030:spec
ResourceClaimTemplateList 1m20:metadata=ListMeta 2[]m1047:items
ResourceSlice 1m11:metadata=ObjectMeta 2m1051:spec
ResourceSliceSpec 1s:driver 2m1052:pool 3s?:nodeName 4*m99?:nodeSelector 5b?:allNodes 6[]m1053?:devices 7*b?:perDeviceNodeSelection 8[]m1063?:sharedCounters
ResourcePool 1s:name 2l:generation 3l:resourceSliceCount
Device 1s:name 2*m1054?:basic
BasicDevice 1{}m1055?:attributes 2{}m1056?:capacity 3[]m1059?:consumesCounters 4*s?:nodeName 5*m99?:nodeSelector 6*b?:allNodes 7[]m1061?:taints 8*b?:bindsToNode 9[]s?:bindingConditions 10[]s?:bindingFailureConditions 11*b?:allowMultipleAllocations 12{}m1062?:nodeAllocatableResourceMappings
DeviceAttribute 2*l?:int=IntValue 3*b?:bool=BoolValue 4*s?:string=StringValue 5*s?:version=VersionValue 6[]l?:ints=IntValues 7[]b?:bools=BoolValues 8[]s?:strings=StringValues 9[]s?:versions=VersionValues
DeviceCapacity 1m41:value 2*m1057?:requestPolicy
CapacityRequestPolicy 1*m41:default 3[]m41?:validValues 4*m1058?:validRange
CapacityRequestPolicyRange 1*m41?:min 2*m41?:max 3*m41?:step
DeviceCounterConsumption 1s:counterSet 2{}m1060?:counters
Counter 1m41:value
DeviceTaint 1s:key 2s?:value 3s:effect 4*m12?:timeAdded
NodeAllocatableResourceMapping 1*s?:capacityKey 2*m41?:allocationMultiplier
CounterSet 1s:name 2{}m1060?:counters
ResourceSliceList 1m20:metadata=ListMeta 2[]m1050:items
DeviceClass 1m11:metadata=ObjectMeta 2m1066:spec
DeviceClassSpec 1[]m1067?:selectors 2[]m1069?:config 4*s?:extendedResourceName
DeviceSelector 1*m1068?:cel=CEL
CELDeviceSelector 1s:expression
DeviceClassConfiguration 1m1070:=DeviceConfiguration
DeviceConfiguration 1*m1071?:opaque
OpaqueDeviceConfiguration 1s:driver 2m44:parameters
DeviceClassList 1m20:metadata=ListMeta 2[]m1065:items
DeviceTaintRule 1m11:metadata=ObjectMeta 2m1074:spec 3m1077:status
DeviceTaintRuleSpec 1*m1075?:deviceSelector 2m1076:taint
DeviceTaintSelector 2*s?:driver 3*s?:pool 4*s?:device
DeviceTaint 1s:key 2s?:value 3s:effect 4*m12?:timeAdded
DeviceTaintRuleStatus 1[]m260?:conditions
DeviceTaintRuleList 1m20:metadata=ListMeta 2[]m1073:items
ResourceClaim 1m11:metadata=ObjectMeta 2m1080:spec 3m1089:status
ResourceClaimSpec 1m1081:devices
DeviceClaim 1[]m1082:requests 2[]m1087?:constraints 3[]m1088?:config
DeviceRequest 1s:name 2*m1083?:exactly 3[]m1086?:firstAvailable
ExactDeviceRequest 1s:deviceClassName 2[]m1067?:selectors 3s?:allocationMode 4l?:count 5*b?:adminAccess 6[]m1084?:tolerations 7*m1085?:capacity
DeviceToleration 1s?:key 2s?:operator 3s?:value 4s?:effect 5*l?:tolerationSeconds
CapacityRequirements 1{}m41?:requests
DeviceSubRequest 1s:name 2s:deviceClassName 3[]m1067?:selectors 4s?:allocationMode 5l?:count 6[]m1084?:tolerations 7*m1085?:capacity
DeviceConstraint 1[]s?:requests 2*s?:matchAttribute 3*s?:distinctAttribute
DeviceClaimConfiguration 1[]s?:requests 2m1070:=DeviceConfiguration
ResourceClaimStatus 1*m1090?:allocation 2[]m1094?:reservedFor 4[]m1095?:devices
AllocationResult 1m1091:devices 3*m99?:nodeSelector 5*m12?:allocationTimestamp
DeviceAllocationResult 1[]m1092?:results 2[]m1093?:config
DeviceRequestAllocationResult 1s:request 2s:driver 3s:pool 4s:device 5*b?:adminAccess 6[]m1084?:tolerations 7[]s?:bindingConditions 8[]s?:bindingFailureConditions 9*s?:shareID 10{}m41?:consumedCapacity
DeviceAllocationConfiguration 1s:source 2[]s?:requests 3m1070:=DeviceConfiguration
ResourceClaimConsumerReference 1s?:apiGroup=APIGroup 3s:resource 4s:name 5s:uid=UID
AllocatedDeviceStatus 1s:driver 2s:pool 3s:device 7*s?:shareID 4[]m260:conditions 5*m44?:data 6*m1096?:networkData
NetworkDeviceData 1s?:interfaceName 2[]s?:ips=IPs 3s?:hardwareAddress
ResourceClaimList 1m20:metadata=ListMeta 2[]m1079:items
ResourceClaimTemplate 1m11:metadata=ObjectMeta 2m1099:spec
ResourceClaimTemplateSpec 1m11:metadata=ObjectMeta 2m1080:spec
ResourceClaimTemplateList 1m20:metadata=ListMeta 2[]m1098:items
ResourceSlice 1m11:metadata=ObjectMeta 2m1102:spec
ResourceSliceSpec 1s:driver 2m1103:pool 3*s?:nodeName 4*m99?:nodeSelector 5*b?:allNodes 6[]m1104?:devices 7*b?:perDeviceNodeSelection 8[]m1112?:sharedCounters
ResourcePool 1s:name 2l:generation 3l:resourceSliceCount
Device 1s:name 2{}m1105?:attributes 3{}m1106?:capacity 4[]m1109?:consumesCounters 5*s?:nodeName 6*m99?:nodeSelector 7*b?:allNodes 8[]m1076?:taints 9*b?:bindsToNode 10[]s?:bindingConditions 11[]s?:bindingFailureConditions 12*b?:allowMultipleAllocations 13{}m1111?:nodeAllocatableResourceMappings
DeviceAttribute 2*l?:int=IntValue 3*b?:bool=BoolValue 4*s?:string=StringValue 5*s?:version=VersionValue 6[]l?:ints=IntValues 7[]b?:bools=BoolValues 8[]s?:strings=StringValues 9[]s?:versions=VersionValues
DeviceCapacity 1m41:value 2*m1107?:requestPolicy
CapacityRequestPolicy 1*m41:default 3[]m41?:validValues 4*m1108?:validRange
CapacityRequestPolicyRange 1*m41?:min 2*m41?:max 3*m41?:step
DeviceCounterConsumption 1s:counterSet 2{}m1110?:counters
Counter 1m41:value
NodeAllocatableResourceMapping 1*s?:capacityKey 2*m41?:allocationMultiplier
CounterSet 1s:name 2{}m1110?:counters
ResourceSliceList 1m20:metadata=ListMeta 2[]m1101:items
PriorityClass 1m11:metadata=ObjectMeta 2i:value 3b?:globalDefault 4s?:description 5*s?:preemptionPolicy
PriorityClassList 1m20:metadata=ListMeta 2[]m1114:items
PodGroup 1m11:metadata=ObjectMeta 2m1117:spec 3m1126:status
PodGroupSpec 1*m1118:podGroupTemplateRef 2m1120:schedulingPolicy 3*m1123?:schedulingConstraints 4[]m1125?:resourceClaims 5*s?:disruptionMode 6s?:priorityClassName 7*i?:priority
PodGroupTemplateReference 1*m1119:workload
WorkloadPodGroupTemplateReference 1s:workloadName 2s:podGroupTemplateName
PodGroupSchedulingPolicy 1*m1121?:basic 2*m1122?:gang
BasicSchedulingPolicy
GangSchedulingPolicy 1i:minCount
PodGroupSchedulingConstraints 1[]m1124?:topology
TopologyConstraint 1s:key
PodGroupResourceClaim 1s:name 2*s?:resourceClaimName 3*s?:resourceClaimTemplateName
PodGroupStatus 1[]m260?:conditions 2[]m1127?:resourceClaimStatuses
PodGroupResourceClaimStatus 1s:name 2*s?:resourceClaimName
PodGroupList 1m20:metadata=ListMeta 2[]m1116:items
Workload 1m11:metadata=ObjectMeta 2m1130:spec
WorkloadSpec 1*m1131?:controllerRef 2[]m1132:podGroupTemplates
TypedLocalObjectReference 1s?:apiGroup=APIGroup 2s:kind 3s:name
PodGroupTemplate 1s:name 2m1120:schedulingPolicy 3*m1123:schedulingConstraints 4[]m1125?:resourceClaims 5*s?:disruptionMode 6s?:priorityClassName 7*i?:priority
WorkloadList 1m20:metadata=ListMeta 2[]m1129:items
PriorityClass 1m11:metadata=ObjectMeta 2i:value 3b?:globalDefault 4s?:description 5*s?:preemptionPolicy
PriorityClassList 1m20:metadata=ListMeta 2[]m1134:items
CSIDriver 1m11:metadata=ObjectMeta 2m1137:spec
CSIDriverSpec 1*b?:attachRequired 2*b?:podInfoOnMount 3[]s?:volumeLifecycleModes 4*b?:storageCapacity 5*s?:fsGroupPolicy=FSGroupPolicy 6[]m1138?:tokenRequests 7*b?:requiresRepublish 8*b?:seLinuxMount=SELinuxMount 9*l?:nodeAllocatableUpdatePeriodSeconds 10*b?:serviceAccountTokenInSecrets 11*b?:preventPodSchedulingIfMissing
TokenRequest 1s:audience 2*l?:expirationSeconds
CSIDriverList 1m20:metadata=ListMeta 2[]m1136:items
CSINode 1m11:metadata=ObjectMeta 2m1141:spec
CSINodeSpec 1[]m1142:drivers
CSINodeDriver 1s:name 2s:nodeID 3[]s:topologyKeys 4*m1143?:allocatable
VolumeNodeResources 1*i?:count
CSINodeList 1m20:metadata=ListMeta 2[]m1140:items
CSIStorageCapacity 1m11:metadata=ObjectMeta 2*m105?:nodeTopology 3s:storageClassName 4*m41?:capacity 5*m41?:maximumVolumeSize
CSIStorageCapacityList 1m20:metadata=ListMeta 2[]m1145:items
StorageClass 1m11:metadata=ObjectMeta 2s:provisioner 3{}s?:parameters 4*s?:reclaimPolicy 5[]s?:mountOptions 6*b?:allowVolumeExpansion 7*s?:volumeBindingMode 8[]m1148?:allowedTopologies
TopologySelectorTerm 1[]m1149?:matchLabelExpressions
TopologySelectorLabelRequirement 1s:key 2[]s:values
StorageClassList 1m20:metadata=ListMeta 2[]m1147:items
VolumeAttachment 1m11:metadata=ObjectMeta 2m1152:spec 3m1154:status
VolumeAttachmentSpec 1s:attacher 2m1153:source 3s:nodeName
VolumeAttachmentSource 1*s?:persistentVolumeName 2*m73?:inlineVolumeSpec
VolumeAttachmentStatus 1b:attached 2{}s?:attachmentMetadata 3*m1155?:attachError 4*m1155?:detachError
VolumeError 1m12:time 2s?:message 3*i?:errorCode
VolumeAttachmentList 1m20:metadata=ListMeta 2[]m1151:items
VolumeAttributesClass 1m11:metadata=ObjectMeta 2s:driverName 3{}s?:parameters
VolumeAttributesClassList 1m20:metadata=ListMeta 2[]m1157:items
CSIStorageCapacity 1m11:metadata=ObjectMeta 2*m105?:nodeTopology 3s:storageClassName 4*m41?:capacity 5*m41?:maximumVolumeSize
CSIStorageCapacityList 1m20:metadata=ListMeta 2[]m1159:items
VolumeAttachment 1m11:metadata=ObjectMeta 2m1162:spec 3m1164:status
VolumeAttachmentSpec 1s:attacher 2m1163:source 3s:nodeName
VolumeAttachmentSource 1*s?:persistentVolumeName 2*m73?:inlineVolumeSpec
VolumeAttachmentStatus 1b:attached 2{}s?:attachmentMetadata 3*m1165?:attachError 4*m1165?:detachError
VolumeError 1m12:time 2s?:message 3*i?:errorCode
VolumeAttachmentList 1m20:metadata=ListMeta 2[]m1161:items
VolumeAttributesClass 1m11:metadata=ObjectMeta 2s:driverName 3{}s?:parameters
VolumeAttributesClassList 1m20:metadata=ListMeta 2[]m1167:items
CSIDriver 1m11:metadata=ObjectMeta 2m1170:spec
CSIDriverSpec 1*b?:attachRequired 2*b?:podInfoOnMount 3[]s?:volumeLifecycleModes 4*b?:storageCapacity 5*s?:fsGroupPolicy=FSGroupPolicy 6[]m1171?:tokenRequests 7*b?:requiresRepublish 8*b?:seLinuxMount=SELinuxMount 9*l?:nodeAllocatableUpdatePeriodSeconds 10*b?:serviceAccountTokenInSecrets 11*b?:preventPodSchedulingIfMissing
TokenRequest 1s:audience 2*l?:expirationSeconds
CSIDriverList 1m20:metadata=ListMeta 2[]m1169:items
CSINode 1m11:metadata=ObjectMeta 2m1174:spec
CSINodeSpec 1[]m1175:drivers
CSINodeDriver 1s:name 2s:nodeID 3[]s:topologyKeys 4*m1176?:allocatable
VolumeNodeResources 1*i?:count
CSINodeList 1m20:metadata=ListMeta 2[]m1173:items
CSIStorageCapacity 1m11:metadata=ObjectMeta 2*m105?:nodeTopology 3s:storageClassName 4*m41?:capacity 5*m41?:maximumVolumeSize
CSIStorageCapacityList 1m20:metadata=ListMeta 2[]m1178:items
StorageClass 1m11:metadata=ObjectMeta 2s:provisioner 3{}s?:parameters 4*s?:reclaimPolicy 5[]s?:mountOptions 6*b?:allowVolumeExpansion 7*s?:volumeBindingMode 8[]m1148?:allowedTopologies
StorageClassList 1m20:metadata=ListMeta 2[]m1180:items
VolumeAttachment 1m11:metadata=ObjectMeta 2m1183:spec 3m1185:status
VolumeAttachmentSpec 1s:attacher 2m1184:source 3s:nodeName
VolumeAttachmentSource 1*s?:persistentVolumeName 2*m73?:inlineVolumeSpec
VolumeAttachmentStatus 1b:attached 2{}s?:attachmentMetadata 3*m1186?:attachError 4*m1186?:detachError
VolumeError 1m12:time 2s?:message 3*i?:errorCode
VolumeAttachmentList 1m20:metadata=ListMeta 2[]m1182:items
VolumeAttributesClass 1m11:metadata=ObjectMeta 2s:driverName 3{}s?:parameters
VolumeAttributesClassList 1m20:metadata=ListMeta 2[]m1188:items
StorageVersionMigration 1m11:metadata=ObjectMeta 2m1191:spec 3m1193:status
StorageVersionMigrationSpec 1m1192:resource
GroupResource 1s:group 2s:resource
StorageVersionMigrationStatus 1[]m260?:conditions 2s?:resourceVersion
StorageVersionMigrationList 1m20:metadata=ListMeta 2[]m1190:items

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
