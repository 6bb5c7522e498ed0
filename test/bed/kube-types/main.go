// kube-types says what Kubernetes' own Go code makes of its protobuf messages.
//
//	kube-types schema                the messages: numbers, types and JSON names of their fields, one message a line
//	kube-types samples SEED COUNT    per kind COUNT random objects: bytes, and the JSON or the error that Go makes of them
//	kube-types hashes SEED COUNT     COUNT random pod templates, and the hash that controllers make of each
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"
)

func main() {
	log.SetFlags(0)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	switch {
	case len(os.Args) == 2 && os.Args[1] == "schema":
		fmt.Fprint(out, describe(kinds()))
	case len(os.Args) == 4 && os.Args[1] == "samples":
		writeSamples(out, number(os.Args[2]), int(number(os.Args[3])))
	case len(os.Args) == 4 && os.Args[1] == "hashes":
		writeHashes(out, number(os.Args[2]), int(number(os.Args[3])))
	default:
		log.Fatal("usage: kube-types schema | samples SEED COUNT | hashes SEED COUNT")
	}
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	return value
}
