package main

import (
	"encoding/json"
	"os"
	"strings"

	"golang.org/x/crypto/ssh"
)

// credentialFlood hands over one large set after the other, without waiting for an answer.
func credentialFlood() error {
	c, err := login()
	if err != nil {
		return err
	}
	messages, err := c.control()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(*handed)
	if err != nil {
		return err
	}
	var credentials map[string]string
	if err := json.Unmarshal(text, &credentials); err != nil {
		return err
	}
	// As large as it may be.
	credentials["controlToken"] = strings.Repeat("x", *size)
	credentials["impersonatorToken"] = strings.Repeat("y", *size)
	large, err := json.Marshal(credentials)
	if err != nil {
		return err
	}
	sent := 0
	for ; sent < *count; sent++ {
		if messages.Encode(message{Type: "credentials", ID: sent, Credentials: large}) != nil {
			break
		}
	}
	fact("sent", sent)
	c.ended(within)
	return nil
}

// malformed sends what is no message: target itself.
func malformed() error {
	c, err := login()
	if err != nil {
		return err
	}
	session, requests, err := c.OpenChannel("session", nil)
	if err != nil {
		return err
	}
	go ssh.DiscardRequests(requests)
	if _, err := session.SendRequest("subsystem", true, ssh.Marshal(struct{ Name string }{"fleet-agent"})); err != nil {
		return err
	}
	session.Write([]byte(*target + "\n"))
	c.ended(within)
	return nil
}
