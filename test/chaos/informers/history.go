package main

import (
	"fmt"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

type happened struct {
	Type            string `json:"type"`
	Name            string `json:"name"`
	Cluster         string `json:"cluster"`
	ResourceVersion string `json:"resourceVersion"`
}

// All that an informer told its handlers, by object. An object's versions never go back.
type history struct {
	informer string
	report   *report
	mutex    sync.Mutex
	events   map[types.UID][]happened
}

func newHistory(informer string, report *report) *history {
	return &history{informer: informer, report: report, events: map[types.UID][]happened{}}
}

func (h *history) OnAdd(object any, _ bool) { h.note("add", object) }
func (h *history) OnUpdate(_, object any)   { h.note("update", object) }

func (h *history) OnDelete(object any) {
	if unseen, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = unseen.Obj
	}
	h.note("delete", object)
}

func (h *history) of(uid types.UID) []happened {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return append([]happened{}, h.events[uid]...)
}

func (h *history) note(kind string, object any) {
	one, err := meta.Accessor(object)
	if err != nil {
		h.report.wrong(h.informer, err.Error())
		return
	}
	now := happened{kind, one.GetName(), clusterOf(one.GetName()), one.GetResourceVersion()}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	before := h.events[one.GetUID()]
	h.events[one.GetUID()] = append(before, now)
	if kind == "delete" && one.GetLabels()["throughout"] == "true" {
		h.report.deleted(h.informer, now)
	}
	if len(before) > 0 {
		h.compare(before[len(before)-1], now, one)
	}
}

func (h *history) compare(before, now happened, object metav1.Object) {
	then, first := strconv.ParseUint(before.ResourceVersion, 10, 64)
	version, second := strconv.ParseUint(now.ResourceVersion, 10, 64)
	// Equal is fine: a list tells again what was known, and a cluster that joins again brings the same objects.
	if first == nil && second == nil && version >= then {
		return
	}
	h.report.wrong(h.informer, fmt.Sprintf("%s %s (%s): %s %q after %s %q", now.Type, object.GetName(), object.GetUID(),
		now.Type, now.ResourceVersion, before.Type, before.ResourceVersion))
}
