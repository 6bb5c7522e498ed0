package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"golang.org/x/crypto/ssh"
)

// within is how long the fleet has to cut somebody off.
const within = 8 * time.Second

func opening(c *connection, kind string, data []byte) {
	channel, requests, err := c.OpenChannel(kind, data)
	var refused *ssh.OpenChannelError
	switch {
	case err == nil:
		go ssh.DiscardRequests(requests)
		fact("channel "+kind, "opened")
		// What is behind it, if anything.
		channel.Write([]byte("GET / HTTP/1.0\r\n\r\n"))
	case errors.As(err, &refused):
		fact("channel "+kind, fmt.Sprintf("refused %d", refused.Reason))
	default:
		fact("channel "+kind, err)
	}
}

type destination struct {
	Host       string
	Port       uint32
	Origin     string
	OriginPort uint32
}

// channels asks for everything that SSH lets a client open.
func channels() error {
	c, err := login()
	if err != nil {
		return err
	}
	host, text, err := net.SplitHostPort(*target)
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	to := ssh.Marshal(destination{host, uint32(port), "127.0.0.1", 1})
	path := ssh.Marshal(struct {
		Path, Reserved string
		Port           uint32
	}{"/var/run/docker.sock", "", 0})
	opening(c, "direct-tcpip", to)
	opening(c, "forwarded-tcpip", to)
	opening(c, "direct-streamlocal@openssh.com", path)
	opening(c, "forwarded-streamlocal@openssh.com", path)
	opening(c, "x11", ssh.Marshal(forward{"127.0.0.1", 6000}))
	opening(c, "auth-agent@openssh.com", nil)
	opening(c, "tun@openssh.com", make([]byte, 8))
	return nil
}

// sessions asks for a shell in every way that there is. target is a file that a command would make.
func sessions() error {
	c, err := login()
	if err != nil {
		return err
	}
	session, requests, err := c.OpenChannel("session", nil)
	if err != nil {
		return err
	}
	go ssh.DiscardRequests(requests)
	text := func(value string) []byte { return ssh.Marshal(struct{ Text string }{value}) }
	asked := []struct {
		name string
		data []byte
	}{
		{"env", ssh.Marshal(struct{ Name, Value string }{"LD_PRELOAD", "/tmp/x.so"})},
		{"pty-req", ssh.Marshal(struct {
			Term                         string
			Columns, Rows, Width, Height uint32
			Modes                        string
		}{"xterm", 80, 24, 0, 0, "\x00"})},
		{"x11-req", ssh.Marshal(struct {
			Single         bool
			Protocol, Cook string
			Screen         uint32
		}{false, "MIT-MAGIC-COOKIE-1", "00", 0})},
		{"auth-agent-req@openssh.com", nil},
		{"exec", text("touch " + *target)},
		{"shell", nil},
		{"signal", text("KILL")},
		{"subsystem", text("sftp")},
		{"subsystem", text("netconf")},
	}
	for _, one := range asked {
		answer := make(chan any, 1)
		go func() { answer <- outcome(session.SendRequest(one.name, true, one.data)) }()
		select {
		case came := <-answer:
			fact("session "+one.name, came)
		case <-time.After(within):
			fact("session "+one.name, "no answer")
			return nil
		}
	}
	opening(c, "session", nil)
	return nil
}

// names asks for what belongs to others.
func names() error {
	c, err := login()
	if err != nil {
		return err
	}
	for _, one := range []forward{
		{*target, 443}, {"kubernetes", 22}, {"kubernetes", 0}, {"localhost", 443}, {"0.0.0.0", 8443}, {"", 443}, {"__proto__", 443},
	} {
		accepted, err := c.register(one.Address, one.Port)
		fact(fmt.Sprintf("name %s:%d", one.Address, one.Port), outcome(accepted, err))
	}
	accepted, _, err := c.SendRequest("streamlocal-forward@openssh.com", true, ssh.Marshal(struct{ Path string }{"/tmp/x"}))
	fact("socket /tmp/x", outcome(accepted, err))
	accepted, _, err = c.SendRequest("shutdown@example.com", true, nil)
	fact("request shutdown@example.com", outcome(accepted, err))
	return nil
}

func outcome(accepted bool, err error) any {
	switch {
	case err != nil:
		return err
	case accepted:
		return "accepted"
	default:
		return "refused"
	}
}

// logins tries every method, each on a connection of its own, with the secret that it has.
func logins() error {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return err
	}
	asked := func(string, string, []string, []bool) ([]string, error) { return []string{*secret}, nil }
	methods := map[string][]ssh.AuthMethod{
		"none":                 nil,
		"password":             {ssh.Password(*secret)},
		"keyboard-interactive": {ssh.KeyboardInteractive(asked)},
		"publickey":            {ssh.PublicKeys(signer)},
	}
	for name, method := range methods {
		c, err := loginFrom(*from, method...)
		if err != nil {
			fact("login "+name, "refused")
			continue
		}
		accepted, err := c.register("kubernetes", 443)
		fact("login "+name, fmt.Sprint("accepted, target ", outcome(accepted, err)))
		c.Close()
	}
	return nil
}
