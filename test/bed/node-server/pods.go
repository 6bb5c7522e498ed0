package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

type containerState struct {
	Running *struct {
		StartedAt time.Time `json:"startedAt"`
	} `json:"running"`
	Terminated *struct {
		StartedAt  time.Time `json:"startedAt"`
		FinishedAt time.Time `json:"finishedAt"`
	} `json:"terminated"`
}

type containerStatus struct {
	Name  string         `json:"name"`
	State containerState `json:"state"`
}

// pod is the part of a Pod that matters here: which containers, since when, until when.
type pod struct {
	Metadata struct {
		Name            string `json:"name"`
		Namespace       string `json:"namespace"`
		UID             string `json:"uid"`
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	Status struct {
		Containers     []containerStatus `json:"containerStatuses"`
		InitContainers []containerStatus `json:"initContainerStatuses"`
		Ephemeral      []containerStatus `json:"ephemeralContainerStatuses"`
	} `json:"status"`
}

func (p *pod) container(name string) (containerState, bool) {
	for _, list := range [][]containerStatus{p.Status.Containers, p.Status.InitContainers, p.Status.Ephemeral} {
		for _, status := range list {
			if status.Name == name {
				return status.State, true
			}
		}
	}
	return containerState{}, false
}

// pods asks the member's API server, as a kubelet does.
type pods struct {
	server string
	client *http.Client
}

func newPods(server string, config *tls.Config) *pods {
	return &pods{server: server, client: &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}}}
}

func (p *pods) ask(ctx context.Context, path string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.server+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "bed-node-server")
	return p.client.Do(request)
}

// get returns nil when there is no such pod.
func (p *pods) get(ctx context.Context, namespace, name string) (*pod, error) {
	response, err := p.ask(ctx, "/api/v1/namespaces/"+url.PathEscape(namespace)+"/pods/"+url.PathEscape(name))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
		found := &pod{}
		return found, json.NewDecoder(response.Body).Decode(found)
	case http.StatusNotFound:
		return nil, nil
	default:
		return nil, fmt.Errorf("pod %s/%s: %s", namespace, name, response.Status)
	}
}

func (p *pods) onNode(ctx context.Context, node string) ([]pod, error) {
	response, err := p.ask(ctx, "/api/v1/pods?"+url.Values{"fieldSelector": {"spec.nodeName=" + node}}.Encode())
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("pods of %s: %s", node, response.Status)
	}
	var list struct {
		Items []pod `json:"items"`
	}
	err = json.NewDecoder(response.Body).Decode(&list)
	return list.Items, err
}

// whileThere is a context that ends with the pod. An API server that cannot be reached does not end it.
func (p *pods) whileThere(ctx context.Context, of *pod) (context.Context, context.CancelFunc) {
	there, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		for there.Err() == nil && !p.deleted(there, of) {
			select {
			case <-there.Done():
			case <-time.After(time.Second):
			}
		}
	}()
	return there, cancel
}

// deleted watches the pod until it is gone (true) or the watch is (false).
func (p *pods) deleted(ctx context.Context, of *pod) bool {
	now, err := p.get(ctx, of.Metadata.Namespace, of.Metadata.Name)
	if err != nil {
		return false
	}
	if now == nil || now.Metadata.UID != of.Metadata.UID {
		return true
	}
	query := url.Values{"watch": {"true"}, "fieldSelector": {"metadata.name=" + of.Metadata.Name}, "resourceVersion": {now.Metadata.ResourceVersion}}
	response, err := p.ask(ctx, "/api/v1/namespaces/"+url.PathEscape(of.Metadata.Namespace)+"/pods?"+query.Encode())
	if err != nil {
		return false
	}
	defer response.Body.Close()
	for events := json.NewDecoder(response.Body); ; {
		var event struct {
			Type string `json:"type"`
		}
		if err := events.Decode(&event); err != nil {
			return false
		}
		if event.Type == "DELETED" {
			return true
		}
	}
}
