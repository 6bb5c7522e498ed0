package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

const idleTimeout = 4 * time.Hour

// node answers the kubelet's paths.
type node struct {
	pods       *pods
	containers *containers
	since      time.Time
}

// find answers the request itself when there is no such pod or container, in the kubelet's words.
func (n *node) find(w http.ResponseWriter, r *http.Request) (*pod, containerState, bool) {
	found, err := n.pods.get(r.Context(), r.PathValue("namespace"), r.PathValue("pod"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return nil, containerState{}, false
	}
	if found == nil {
		http.Error(w, fmt.Sprintf("pod %q does not exist", r.PathValue("pod")), http.StatusNotFound)
		return nil, containerState{}, false
	}
	name := r.PathValue("container")
	state, ok := found.container(name)
	if name != "" && !ok {
		http.Error(w, fmt.Sprintf("container %q not found in pod %q", name, r.PathValue("pod")), http.StatusNotFound)
		return nil, containerState{}, false
	}
	return found, state, true
}

func (n *node) exec(w http.ResponseWriter, r *http.Request) {
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	found, _, ok := n.find(w, r)
	if !ok {
		return
	}
	there, done := n.pods.whileThere(context.WithoutCancel(r.Context()), found)
	defer done()
	process := &process{there: there, home: n.containers.home(found, r.PathValue("container"))}
	remotecommand.ServeExec(w, r, process, found.Metadata.Name, found.Metadata.UID, r.PathValue("container"),
		r.URL.Query()["command"], options, idleTimeout, remotecommand.DefaultStreamCreationTimeout, remotecommand.SupportedStreamingProtocols)
}

func (n *node) attach(w http.ResponseWriter, r *http.Request) {
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	found, state, ok := n.find(w, r)
	if !ok {
		return
	}
	there, done := n.pods.whileThere(context.WithoutCancel(r.Context()), found)
	defer done()
	attached := &attached{there: there, log: newContainerLog(r.PathValue("container"), state)}
	remotecommand.ServeAttach(w, r, attached, found.Metadata.Name, found.Metadata.UID, r.PathValue("container"),
		options, idleTimeout, remotecommand.DefaultStreamCreationTimeout, remotecommand.SupportedStreamingProtocols)
}

func (n *node) portForward(w http.ResponseWriter, r *http.Request) {
	options, err := portforward.NewV4Options(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	found, _, ok := n.find(w, r)
	if !ok {
		return
	}
	there, done := n.pods.whileThere(context.WithoutCancel(r.Context()), found)
	defer done()
	portforward.ServePortForward(w, r, &dialler{there: there}, found.Metadata.Name, found.Metadata.UID, options,
		idleTimeout, remotecommand.DefaultStreamCreationTimeout, portforward.SupportedProtocols)
}

// dialler takes a pod's port for the same port on loopback.
type dialler struct{ there context.Context }

func (d *dialler) PortForward(_ context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port)))
	connection, err := (&net.Dialer{}).DialContext(d.there, "tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	defer context.AfterFunc(d.there, func() { connection.Close() })()
	answered := make(chan error, 1)
	go func() {
		_, err := io.Copy(stream, connection)
		answered <- err
	}()
	go func() {
		// the client's end of input is not the end of the answer
		if _, err := io.Copy(connection, stream); err == nil {
			connection.(*net.TCPConn).CloseWrite()
		} else {
			connection.Close()
		}
	}()
	return <-answered
}
