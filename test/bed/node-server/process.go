package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/creack/pty"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// process is one command that exec runs in a container.
type process struct {
	there context.Context
	home  home
}

func (p *process) ExecInContainer(_ context.Context, _, _, _ string, command []string, in io.Reader, out, errs io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	if len(command) == 0 {
		return errors.New("no command")
	}
	cmd, started, err := p.home.command(p.there, command, tty)
	if err != nil {
		return err
	}
	defer started.Close()
	if tty {
		err = runOnTerminal(cmd, started, in, out, resize)
	} else {
		err = run(cmd, started, in, out, errs)
	}
	return exitCode(err)
}

func run(cmd *exec.Cmd, started *startReport, in io.Reader, out, errs io.WriteCloser) error {
	if out != nil {
		cmd.Stdout = out
	}
	if errs != nil {
		cmd.Stderr = errs
	}
	if in != nil {
		// not cmd.Stdin: Wait would wait for the client to end its input
		stdin, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		go func() {
			io.Copy(stdin, in)
			stdin.Close()
		}()
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := started.failure(); err != nil {
		cmd.Wait()
		return err
	}
	return cmd.Wait()
}

func runOnTerminal(cmd *exec.Cmd, started *startReport, in io.Reader, out io.WriteCloser, resize <-chan remotecommand.TerminalSize) error {
	terminal, err := pty.Start(cmd)
	if err != nil {
		return err
	}
	defer terminal.Close()
	if err := started.failure(); err != nil {
		cmd.Wait()
		return err
	}
	go func() {
		for size := range resize {
			pty.Setsize(terminal, &pty.Winsize{Rows: size.Height, Cols: size.Width})
		}
	}()
	if in != nil {
		go io.Copy(terminal, in)
	}
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		if out != nil {
			io.Copy(out, terminal)
		}
	}()
	err = cmd.Wait()
	// what it printed last is still in the terminal; a child left behind may hold it open
	select {
	case <-shown:
	case <-time.After(time.Second):
	}
	return err
}

// exitCode turns the end of a process into what the streaming library reports to the client.
func exitCode(err error) error {
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // it ended well and left a child with its output
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	code := exit.ExitCode()
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = 128 + int(status.Signal())
	}
	return utilexec.CodeExitError{Err: err, Code: code}
}

// startReport is a pipe that closes by itself when the command has started, or says why it has not.
type startReport struct{ reader, writer *os.File }

func newStartReport() (*startReport, error) {
	reader, writer, err := os.Pipe()
	return &startReport{reader, writer}, err
}

func (s *startReport) failure() error {
	s.writer.Close()
	if said, err := io.ReadAll(s.reader); err != nil || len(said) > 0 {
		return errors.Join(err, errors.New(string(said)))
	}
	return nil
}

func (s *startReport) Close() {
	s.reader.Close()
	s.writer.Close()
}
