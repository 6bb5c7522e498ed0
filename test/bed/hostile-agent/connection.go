package main

import (
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// pausable is a connection that can stop to read, as a peer does that wants the other side's memory to fill.
type pausable struct {
	net.Conn
	reading sync.RWMutex
}

func (p *pausable) Read(bytes []byte) (int, error) {
	p.reading.RLock()
	defer p.reading.RUnlock()
	return p.Conn.Read(bytes)
}

// pause takes hold after the read that is under way.
func (p *pausable) pause() { go p.reading.Lock() }

func dialFrom(local string) (*pausable, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(local)}, Timeout: 10 * time.Second}
	socket, err := dialer.Dial("tcp", *address)
	if err != nil {
		return nil, err
	}
	return &pausable{Conn: socket}, nil
}

type connection struct {
	ssh.Conn
	socket   *pausable
	opened   <-chan ssh.NewChannel
	requests <-chan *ssh.Request
}

func config(methods ...ssh.AuthMethod) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		User: *user,
		Auth: methods,
		// Whom it attacks is all the same to it.
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Timeout:         10 * time.Second,
	}
}

func loginFrom(local string, methods ...ssh.AuthMethod) (*connection, error) {
	socket, err := dialFrom(local)
	if err != nil {
		return nil, err
	}
	conn, opened, requests, err := ssh.NewClientConn(socket, *address, config(methods...))
	if err != nil {
		socket.Close()
		return nil, err
	}
	return &connection{conn, socket, opened, requests}, nil
}

// login is with the token, and reports it: an attack that was not logged in would prove nothing.
func login() (*connection, error) {
	made, err := loginFrom(*from, ssh.Password(*secret))
	if err == nil {
		go ssh.DiscardRequests(made.requests)
		fact("login", "accepted")
	}
	return made, err
}

// register asks for a target, as ssh -R does.
func (c *connection) register(name string, port uint32) (bool, error) {
	accepted, _, err := c.SendRequest("tcpip-forward", true, ssh.Marshal(forward{name, port}))
	return accepted, err
}

type forward struct {
	Address string
	Port    uint32
}

// ended waits for the fleet to cut it off, or reports that it did not.
func (c *connection) ended(within time.Duration) {
	gone := make(chan struct{})
	go func() {
		c.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		fact("connection", "cut off")
	case <-time.After(within):
		fact("connection", "still there")
	}
}
