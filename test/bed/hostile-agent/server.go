package main

import (
	"crypto/ed25519"
	"fmt"
	"net"
	"os"

	"golang.org/x/crypto/ssh"
)

// serve is a server that an agent may dial by mistake. It takes every login, and then asks for target.
func serve() error {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(private)
	if *hostKey != "" && err == nil {
		var text []byte
		if text, err = os.ReadFile(*hostKey); err == nil {
			signer, err = ssh.ParsePrivateKey(text)
		}
	}
	if err != nil {
		return err
	}
	config := &ssh.ServerConfig{
		PasswordCallback: func(conn ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
			fact("secret", fmt.Sprint(conn.User(), " ", string(password) == *secret))
			return nil, nil
		},
		AuthLogCallback: func(conn ssh.ConnMetadata, method string, err error) { fact("asked for", method) },
	}
	config.AddHostKey(signer)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fact("listening", listener.Addr())
	for {
		socket, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer socket.Close()
			fact("connected", "")
			conn, opened, requests, err := ssh.NewServerConn(socket, config)
			if err != nil {
				fact("handshake", err)
				return
			}
			go func() {
				for one := range opened {
					if channel, asked, err := one.Accept(); err == nil {
						go answerAll(asked)
						go func() { channel.Read(make([]byte, 1)) }()
					}
				}
			}()
			for request := range requests {
				request.Reply(true, nil)
				if request.Type == "tcpip-forward" {
					reach(conn)
				}
			}
		}()
	}
}

func answerAll(requests <-chan *ssh.Request) {
	for request := range requests {
		request.Reply(true, nil)
	}
}

// reach asks the agent for addresses that it was not started for.
func reach(conn ssh.Conn) {
	host, port, _ := net.SplitHostPort(*target)
	number := uint32(0)
	fmt.Sscan(port, &number)
	for _, to := range []destination{{host, number, "", 0}, {"kubernetes", number, "", 0}, {"kubesphere", 443, "", 0}} {
		_, requests, err := conn.OpenChannel("forwarded-tcpip", ssh.Marshal(to))
		if err != nil {
			fact(fmt.Sprintf("reach %s", to.Host), "refused")
			continue
		}
		go ssh.DiscardRequests(requests)
		fact(fmt.Sprintf("reach %s", to.Host), "opened")
	}
}
