// Command weather returns weather reports with warnings added.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
)

func main() {
	http.HandleFunc("POST /check", check)
	fmt.Println("http://127.0.0.1:8090/check")
	log.Fatal(http.ListenAndServe("127.0.0.1:8090", nil))
}

func check(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err == nil {
		body, err = answer(body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Write(body)
}
