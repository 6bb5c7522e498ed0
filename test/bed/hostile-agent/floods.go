package main

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// flood asks for the same again and again, as fast as the network takes it. target is what: a channel, or a request.
func flood() error {
	c, err := login()
	if err != nil {
		return err
	}
	switch *target {
	case "session":
		openMany(c, "session", nil)
	case "direct-tcpip":
		openMany(c, "direct-tcpip", ssh.Marshal(destination{"127.0.0.1", 22, "", 0}))
	case "request":
		sendMany(c, globalRequest{"flood@example.com", false, make([]byte, *size)})
	case "name":
		sendMany(c, globalRequest{"tcpip-forward", false, ssh.Marshal(forward{"rohan", 443})})
	case "nowhere":
		sendMany(c, channelData{4242, uint32(*size), make([]byte, *size)})
	default:
		return fmt.Errorf("no flood of %s", *target)
	}
	c.ended(within)
	return nil
}

func sendMany(c *connection, what any) {
	packet := ssh.Marshal(what)
	sent := 0
	for ; sent < *count; sent++ {
		if c.send(packet) != nil {
			break
		}
	}
	fact("sent", sent)
}

// openMany has many requests under way at once.
func openMany(c *connection, kind string, data []byte) {
	var waiting sync.WaitGroup
	var opened, refused atomic.Int64
	for range 64 {
		waiting.Go(func() {
			for range *count / 64 {
				_, _, err := c.OpenChannel(kind, data)
				var answer *ssh.OpenChannelError
				switch {
				case err == nil:
					opened.Add(1)
				case errors.As(err, &answer):
					refused.Add(1)
				default:
					return
				}
			}
		})
	}
	waiting.Wait()
	fact("opened", opened.Load())
	fact("refused", refused.Load())
}

// unread wants an answer to each of its requests, and reads none.
func unread() error {
	c, err := login()
	if err != nil {
		return err
	}
	// So that the kernel does not take the answers instead.
	if err := c.socket.Conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		return err
	}
	c.socket.pause()
	packet := ssh.Marshal(globalRequest{"keepalive@openssh.com", true, nil})
	answer := "not cut off"
	c.socket.SetWriteDeadline(time.Now().Add(time.Minute))
	for sent := 0; sent < *count; sent++ {
		if err := c.send(packet); err != nil {
			var timeout net.Error
			if timeout, _ = err.(net.Error); timeout == nil || !timeout.Timeout() {
				answer = "cut off"
			}
			break
		}
	}
	fact("connection", answer)
	return nil
}

// flicker registers its target and takes it back, again and again.
func flicker() error {
	c, err := login()
	if err != nil {
		return err
	}
	data := ssh.Marshal(forward{"kubernetes", 443})
	go func() {
		for opened := range c.opened {
			fact("stream", opened.ChannelType())
			opened.Reject(ssh.ConnectionFailed, "")
		}
	}()
	for asked := 0; asked < *count; asked++ {
		for _, name := range []string{"tcpip-forward", "cancel-tcpip-forward"} {
			if _, _, err := c.SendRequest(name, true, data); err != nil {
				fact("connection", "cut off")
				return nil
			}
		}
	}
	fact("connection", "still there")
	return nil
}

// silent makes connections that never log in, and reports how long each was let be. A third each sends nothing, the line that begins
// SSH, and keys but no login.
func silent() error {
	var waiting sync.WaitGroup
	for at := range *count {
		// Ten a second are allowed to one address.
		local := fmt.Sprintf("127.0.%d.%d", 1+at/80, 1+at%80/8)
		if *from != "127.0.0.1" {
			local = *from
		}
		socket, err := dialFrom(local)
		if err != nil {
			return err
		}
		waiting.Go(func() {
			began := time.Now()
			end := func() { fact("closed after", time.Since(began).Milliseconds()) }
			defer end()
			socket.SetDeadline(began.Add(30 * time.Second))
			switch at % 3 {
			case 0:
				socket.Write([]byte("S"))
			case 1:
				socket.Write([]byte("SSH-2.0-silent\r\n"))
			case 2:
				// A password that never comes.
				wait := ssh.PasswordCallback(func() (string, error) {
					buffer := make([]byte, 1)
					socket.Conn.Read(buffer)
					return "", fmt.Errorf("closed")
				})
				ssh.NewClientConn(socket, *address, config(wait))
				return
			}
			buffer := make([]byte, 4096)
			for {
				if _, err := socket.Read(buffer); err != nil {
					return
				}
			}
		})
	}
	fact("connected", *count)
	waiting.Wait()
	return nil
}

// many logs in again and again, and keeps all of it.
func many() error {
	kept := 0
	for at := range *count {
		c, err := loginFrom(fmt.Sprintf("127.0.%d.%d", 1+at/80, 1+at%80/8), ssh.Password(*secret))
		if err != nil {
			fact("login", "refused")
			continue
		}
		go ssh.DiscardRequests(c.requests)
		if accepted, err := c.register("kubernetes", 443); err != nil || !accepted {
			fact("login", "cut off")
			continue
		}
		kept++
	}
	fact("kept", kept)
	// Until it is ended.
	select {}
}
