// Command shop answers orders with receipts: go run . [PORT]
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"

	"shop/order"
)

var receipts atomic.Uint32

func main() {
	port := "8090"
	if len(os.Args) > 1 {
		port = os.Args[1]
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /orders", answer)
	fmt.Printf("http://%s/orders\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}

// answer reads an Order and writes its Receipt. Any invalid body is an error with a code, never a panic.
func answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	var request order.Order
	if err := request.UnmarshalBinary(body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	receipt := order.Receipt{Number: receipts.Add(1)}
	for _, item := range request.Items {
		receipt.Cents += item.Cents * uint32(item.Count)
	}
	bytes, err := receipt.MarshalBinary()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(bytes)
}
