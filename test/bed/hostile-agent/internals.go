package main

import (
	"reflect"
	"unsafe"

	"golang.org/x/crypto/ssh"
)

// What an honest client cannot do: packets of any content, past the windows that the library keeps.

//go:linkname writePacket golang.org/x/crypto/ssh.(*handshakeTransport).writePacket
func writePacket(transport unsafe.Pointer, packet []byte) error

// send encrypts one packet, whatever it is.
func (c *connection) send(packet []byte) error {
	transport := reflect.ValueOf(c.Conn).Elem().FieldByName("transport").Elem().UnsafePointer()
	return writePacket(transport, append([]byte(nil), packet...))
}

// remoteID is the number that the other side gave to a channel.
func remoteID(channel ssh.NewChannel) uint32 {
	return uint32(reflect.ValueOf(channel).Elem().FieldByName("remoteId").Uint())
}

// granted is what the other side has allowed to be sent so far: nothing that is sent here is taken off.
func granted(channel ssh.NewChannel) uint32 {
	return uint32(reflect.ValueOf(channel).Elem().FieldByName("remoteWin").FieldByName("win").Uint())
}

// takePackets makes the acceptance of a channel ask for packets of this size.
func takePackets(channel ssh.NewChannel, size uint32) {
	field := reflect.ValueOf(channel).Elem().FieldByName("maxIncomingPayload")
	*(*uint32)(unsafe.Pointer(field.UnsafeAddr())) = size
}

type globalRequest struct {
	Type      string `sshtype:"80"`
	WantReply bool
	Data      []byte `ssh:"rest"`
}

type channelData struct {
	Recipient uint32 `sshtype:"94"`
	Length    uint32
	Data      []byte `ssh:"rest"`
}
