// The node server answers for every node of a member what a kubelet answers: logs, exec, attach, port-forward and usage
// of pods that kwok keeps Running, on the streaming library the kubelet itself uses.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// The name in the certificate that kube-apiserver shows to kubelets.
const kubeletClient = "kube-apiserver-kubelet-client"

func main() {
	log.SetFlags(log.LstdFlags | log.Lmicroseconds)
	if len(os.Args) > 1 && os.Args[1] == enterCommand {
		enter(os.Args[2], os.Args[3], os.Args[4:])
	}
	server := flag.String("server", "", "address of the member's API server")
	ca := flag.String("ca", "", "CA of the member, PEM")
	cert := flag.String("cert", "", "certificate for serving and for asking the API server, PEM")
	key := flag.String("key", "", "key of the certificate, PEM")
	root := flag.String("root", "", "folder for the containers' files")
	member := flag.String("member", "", "name of the member, FLEET_BED_MEMBER inside the containers")
	flag.Parse()

	pair, err := tls.LoadX509KeyPair(*cert, *key)
	if err != nil {
		log.Fatal(err)
	}
	pem, err := os.ReadFile(*ca)
	if err != nil {
		log.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	pods := newPods(*server, &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}})
	// absolute: commands start in another folder
	folder, err := filepath.Abs(*root)
	if err != nil {
		log.Fatal(err)
	}
	containers := newContainers(folder, *member)

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	// the runner reads this one line; everything else goes to standard error
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	serving := &http.Server{Handler: routes(pods, containers)}
	listener = tls.NewListener(listener, &tls.Config{
		Certificates: []tls.Certificate{pair},
		ClientCAs:    pool,
		ClientAuth:   tls.RequireAndVerifyClientCert,
		NextProtos:   []string{"http/1.1"},
	})
	log.Fatal(serving.Serve(listener))
}

func routes(pods *pods, containers *containers) http.Handler {
	node := &node{pods: pods, containers: containers, since: time.Now()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	mux.HandleFunc("GET /nodes/{node}/metrics/resource", node.metrics)
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", node.logs)
	for _, path := range []string{"/{namespace}/{pod}/{container}", "/{namespace}/{pod}/{uid}/{container}"} {
		mux.HandleFunc("/exec"+path, node.exec)
		mux.HandleFunc("/attach"+path, node.attach)
	}
	for _, path := range []string{"/{namespace}/{pod}", "/{namespace}/{pod}/{uid}"} {
		mux.HandleFunc("/portForward"+path, node.portForward)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := r.TLS.PeerCertificates[0].Subject.CommonName
		log.Printf("%s %s by %s", r.Method, r.URL, caller)
		if caller != kubeletClient {
			http.Error(w, "Forbidden", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
