package main

import (
	"fmt"
	"io"
	"net"
	"time"

	"golang.org/x/crypto/ssh"
)

// stream waits until the fleet opens one.
func (c *connection) stream() (ssh.NewChannel, error) {
	accepted, err := c.register("kubernetes", 443)
	if err != nil || !accepted {
		return nil, fmt.Errorf("registering: %v", outcome(accepted, err))
	}
	select {
	case opened := <-c.opened:
		if opened == nil {
			return nil, c.Wait()
		}
		fact("stream", opened.ChannelType())
		return opened, nil
	case <-time.After(30 * time.Second):
		return nil, fmt.Errorf("the fleet opens no stream")
	}
}

// overrun is an agent that ignores windows: whatever the member sends is passed on. With -exact each window is filled to its last
// byte first.
func overrun() error {
	c, err := login()
	if err != nil {
		return err
	}
	accepted, err := c.register("kubernetes", 443)
	fact("name kubernetes:443", outcome(accepted, err))
	go func() {
		for opened := range c.opened {
			go pour(c, opened)
		}
	}()
	c.Wait()
	fact("connection", "cut off")
	return nil
}

func pour(c *connection, opened ssh.NewChannel) {
	socket, err := net.Dial("tcp", *target)
	if err != nil {
		opened.Reject(ssh.ConnectionFailed, "")
		return
	}
	defer socket.Close()
	channel, requests, err := opened.Accept()
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	go io.Copy(socket, channel)
	buffer := make([]byte, *size)
	var sent, beyond uint64
	for {
		most := len(buffer)
		left := int64(granted(opened)) - int64(sent)
		if *exact && left > 0 && left < int64(most) {
			most = int(left)
		}
		if *exact && left == 0 && isStalled(opened, sent) {
			fact("window", "full")
		} else if *exact && left == 0 {
			continue
		}
		read, err := socket.Read(buffer[:most])
		if err != nil {
			return
		}
		if c.send(ssh.Marshal(channelData{remoteID(opened), uint32(read), buffer[:read]})) != nil {
			return
		}
		sent += uint64(read)
		if int64(read) > max(left, 0) {
			beyond += uint64(read)
			fact("beyond the window", beyond)
		}
	}
}

// isStalled waits a while for more window: data that arrives with one would not be beyond it.
func isStalled(opened ssh.NewChannel, sent uint64) bool {
	for range 20 {
		time.Sleep(25 * time.Millisecond)
		if uint64(granted(opened)) > sent {
			return false
		}
	}
	return true
}

// smallPackets takes nothing but packets of size bytes.
func smallPackets() error {
	c, err := login()
	if err != nil {
		return err
	}
	opened, err := c.stream()
	if err != nil {
		return err
	}
	takePackets(opened, uint32(*size))
	_, requests, err := opened.Accept()
	if err != nil {
		return err
	}
	go ssh.DiscardRequests(requests)
	c.ended(within)
	return nil
}
