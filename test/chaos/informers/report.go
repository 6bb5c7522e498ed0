package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
)

// Lines of JSON for whoever started the program.
type report struct {
	mutex sync.Mutex
	lines *json.Encoder
}

type held struct {
	UID             types.UID `json:"uid"`
	ResourceVersion string    `json:"resourceVersion"`
	Name            string    `json:"name"`
}

func newReport(to io.Writer) *report { return &report{lines: json.NewEncoder(to)} }

func (r *report) line(content any) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err := r.lines.Encode(content); err != nil {
		log.Fatal(err)
	}
}

func (r *report) wrong(informer, what string) {
	r.line(map[string]string{"kind": "wrong", "informer": informer, "what": what})
}

// Whether an object of a set that is never deleted may have gone is known to who takes clusters out of the view.
func (r *report) deleted(informer string, what happened) {
	r.line(map[string]any{"kind": "deleted", "informer": informer, "what": what})
}

// Questions, a line each: `stores`, or the uid of an object whose history is wanted.
func answer(questions io.Reader, all []*watched, report *report) {
	lines := bufio.NewScanner(questions)
	for lines.Scan() {
		if lines.Text() == "stores" {
			stores := map[string][]held{}
			for _, one := range all {
				stores[one.name] = one.held()
			}
			report.line(map[string]any{"kind": "stores", "stores": stores})
			continue
		}
		histories := map[string][]happened{}
		for _, one := range all {
			histories[one.name] = one.history.of(types.UID(lines.Text()))
		}
		report.line(map[string]any{"kind": "histories", "histories": histories})
	}
}

// An informer that has not synced has nothing to say: its store counts for nobody.
func (w *watched) held() []held {
	if !w.informer.HasSynced() {
		return nil
	}
	objects := []held{}
	for _, object := range w.informer.GetStore().List() {
		one, err := meta.Accessor(object)
		if err != nil {
			log.Fatal(err)
		}
		objects = append(objects, held{one.GetUID(), one.GetResourceVersion(), one.GetName()})
	}
	return objects
}
