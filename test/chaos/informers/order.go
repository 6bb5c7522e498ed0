package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// What one stream promises about each cluster: once a map has an entry for it, all up to there has been sent, and what
// follows is newer, in the order of the cluster's own versions (WATCH-1, WATCH-2). Before that, objects come in any
// order, but nothing changes that is not newer than what changed before it.
//
// From a cache, what a member has after its history was lost comes as a difference, in the order of names, with the last
// known versions of what was deleted (WATCH-6): then only the maps of bookmarks count.
type order struct {
	// What has been sent of each cluster that has an entry.
	sent map[string]uint64
	// The last change of each cluster that has none yet.
	changed map[string]uint64
}

var mayBeDifference = os.Getenv("FLEET_BED_CACHED") == "1"

func newOrder(options metav1.ListOptions) *order {
	sent := map[string]uint64{}
	// With initial events the version only says how fresh they are.
	if options.SendInitialEvents == nil || !*options.SendInitialEvents {
		sent = versions(options.ResourceVersion)
	}
	return &order{sent, map[string]uint64{}}
}

func (o *order) see(event watch.Event) []string {
	object, err := meta.Accessor(event.Object)
	if err != nil || event.Type == watch.Error {
		// A Status: the stream ends, and the reflector knows what to do.
		return nil
	}
	if event.Type == watch.Bookmark {
		return o.bookmark(object.GetResourceVersion())
	}
	version, err := strconv.ParseUint(object.GetResourceVersion(), 10, 64)
	if err != nil {
		return []string{fmt.Sprintf("%s %s has the version %q", event.Type, object.GetName(), object.GetResourceVersion())}
	}
	cluster := clusterOf(object.GetName())
	before, isKnown := o.sent[cluster]
	after := o.sent
	if !isKnown {
		if event.Type == watch.Added {
			return nil
		}
		before, after = o.changed[cluster], o.changed
	}
	isDifference := isKnown && mayBeDifference
	if !isDifference {
		after[cluster] = max(before, version)
	}
	if version > before || (isDifference && event.Type == watch.Deleted) {
		return nil
	}
	return []string{fmt.Sprintf("%s %s is at %d, but %d of its cluster had been sent", event.Type, object.GetName(), version, before)}
}

func (o *order) bookmark(version string) (wrong []string) {
	told := versions(version)
	for cluster, before := range o.sent {
		now, isTold := told[cluster]
		// A plain version that a merged view was resumed from does not say whose it is; a cluster that was read from a cache
		// may leave while the stream goes on (WATCH-5).
		if !isTold && (cluster == "" || mayBeDifference) {
			continue
		}
		if now < before {
			wrong = append(wrong, fmt.Sprintf("a bookmark goes back from %d to %d in %q", before, now, cluster))
		}
	}
	o.sent = told
	return wrong
}

// The map of a merged version; a plain one is that of the only cluster, which names do not tell. Versions that select no
// history, and a plain one of a merged view, promise nothing.
func versions(text string) map[string]uint64 {
	found := map[string]uint64{}
	if plain, err := strconv.ParseUint(text, 10, 64); err == nil {
		if plain > 0 {
			found[""] = plain
		}
		return found
	}
	bytes, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return found
	}
	own := map[string]string{}
	if json.Unmarshal(bytes, &own) != nil {
		return found
	}
	for cluster, version := range own {
		if number, err := strconv.ParseUint(version, 10, 64); err == nil {
			found[cluster] = number
		}
	}
	return found
}

const infix = ".clusterspace."

func clusterOf(name string) string {
	at := strings.LastIndex(name, infix)
	if at < 0 {
		return ""
	}
	return name[at+len(infix):]
}
