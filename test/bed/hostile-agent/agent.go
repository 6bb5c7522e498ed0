package main

import (
	"encoding/json"
	"io"
	"net"
	"os"

	"golang.org/x/crypto/ssh"
)

type message struct {
	Type        string          `json:"type"`
	Version     string          `json:"version,omitempty"`
	Instance    string          `json:"instance,omitempty"`
	Kind        string          `json:"kind,omitempty"`
	ID          int             `json:"id"`
	Message     string          `json:"message,omitempty"`
	Credentials json.RawMessage `json:"credentials,omitempty"`
}

// control opens the session for messages, and prints what comes.
func (c *connection) control() (*json.Encoder, error) {
	session, requests, err := c.OpenChannel("session", nil)
	if err != nil {
		return nil, err
	}
	go ssh.DiscardRequests(requests)
	accepted, err := session.SendRequest("subsystem", true, ssh.Marshal(struct{ Name string }{"fleet-agent"}))
	fact("session fleet-agent", outcome(accepted, err))
	if err != nil {
		return nil, err
	}
	go func() {
		messages := json.NewDecoder(session)
		for {
			var came message
			if messages.Decode(&came) != nil {
				return
			}
			fact(came.Type, came.Message)
		}
	}()
	return json.NewEncoder(session), nil
}

// agent keeps to the rules, and leads to whichever member it likes.
func agent() error {
	c, err := login()
	if err != nil {
		return err
	}
	messages, err := c.control()
	if err != nil {
		return err
	}
	hello := message{Type: "hello", Version: "1.0.0", Instance: "go", Kind: "interactive"}
	if err := messages.Encode(hello); err != nil {
		return err
	}
	if *handed != "" {
		credentials, err := os.ReadFile(*handed)
		if err != nil {
			return err
		}
		if err := messages.Encode(message{Type: "credentials", ID: 1, Credentials: credentials}); err != nil {
			return err
		}
	}
	accepted, err := c.register("kubernetes", 443)
	fact("name kubernetes:443", outcome(accepted, err))
	for opened := range c.opened {
		go join(opened)
	}
	fact("connection", "cut off")
	return nil
}

// join carries one stream.
func join(opened ssh.NewChannel) {
	socket, err := net.Dial("tcp", *target)
	if err != nil {
		opened.Reject(ssh.ConnectionFailed, "")
		return
	}
	channel, requests, err := opened.Accept()
	if err != nil {
		socket.Close()
		return
	}
	fact("stream", opened.ChannelType())
	go ssh.DiscardRequests(requests)
	go func() {
		io.Copy(socket, channel)
		socket.(*net.TCPConn).CloseWrite()
	}()
	io.Copy(channel, socket)
	channel.CloseWrite()
	channel.Close()
	socket.Close()
}
