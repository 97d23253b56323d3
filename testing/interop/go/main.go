// Command interop reads and writes messages with google.golang.org/protobuf, by a schema that it is given.
//
//	interop DESCRIPTOR MESSAGE
//
// DESCRIPTOR is a file with a FileDescriptorProto, MESSAGE the full name of a type in it. Standard input contains pairs: a
// message as bytes and the same message as ProtoJSON. The response to each pair is one byte and a text: 1 and the message of the
// JSON as Go writes it, or 0 and the reason why the bytes are not that message. Each input and response follows four bytes of
// its length, little-endian.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: interop DESCRIPTOR MESSAGE")
	}
	descriptor, err := find(os.Args[1], protoreflect.FullName(os.Args[2]))
	if err != nil {
		log.Fatal(err)
	}
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		encoded, err := read(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		json, err := read(in)
		if err != nil {
			log.Fatal(err)
		}
		status, answer := byte(1), []byte(nil)
		if answer, err = compare(descriptor, encoded, json); err != nil {
			status, answer = 0, []byte(err.Error())
		}
		if err := write(out, append([]byte{status}, answer...)); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// find returns the type with this name in the file.
func find(path string, name protoreflect.FullName) (protoreflect.MessageDescriptor, error) {
	encoded, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file descriptorpb.FileDescriptorProto
	if err := proto.Unmarshal(encoded, &file); err != nil {
		return nil, err
	}
	described, err := protodesc.NewFile(&file, nil)
	if err != nil {
		return nil, err
	}
	message := described.Messages().ByName(name.Name())
	if message == nil || message.FullName() != name {
		return nil, fmt.Errorf("%s has no message %s", path, name)
	}
	return message, nil
}

// compare returns the message of the JSON as Go writes it, if the bytes are the same message.
func compare(descriptor protoreflect.MessageDescriptor, encoded, json []byte) ([]byte, error) {
	fromBytes, fromJSON := dynamicpb.NewMessage(descriptor), dynamicpb.NewMessage(descriptor)
	if err := proto.Unmarshal(encoded, fromBytes); err != nil {
		return nil, fmt.Errorf("the bytes: %w", err)
	}
	if err := protojson.Unmarshal(json, fromJSON); err != nil {
		return nil, fmt.Errorf("the JSON: %w", err)
	}
	if !proto.Equal(fromBytes, fromJSON) {
		return nil, fmt.Errorf("the bytes are\n%s\nthe JSON is\n%s", prototext.Format(fromBytes), prototext.Format(fromJSON))
	}
	return proto.Marshal(fromJSON)
}

func read(in io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(in, size[:]); err != nil {
		return nil, err
	}
	payload := make([]byte, binary.LittleEndian.Uint32(size[:]))
	_, err := io.ReadFull(in, payload)
	return payload, err
}

func write(out io.Writer, payload []byte) error {
	if err := binary.Write(out, binary.LittleEndian, uint32(len(payload))); err != nil {
		return err
	}
	_, err := out.Write(payload)
	return err
}
