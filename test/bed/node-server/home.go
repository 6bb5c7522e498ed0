package main

import (
	"context"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const enterCommand = "enter-container"

// containers gives each container a folder that its commands see as the root of their files.
type containers struct {
	root, member string
	isolated     bool
}

func newContainers(root, member string) *containers {
	c := &containers{root: root, member: member, isolated: true}
	trial := home{folder: filepath.Join(root, "trial"), isolated: true}
	if cmd, started, err := trial.command(context.Background(), []string{"true"}, false); err != nil || run(cmd, started, nil, nil, nil) != nil {
		log.Print("no mount namespaces here: commands see the machine's files, their working folder is the container's")
		c.isolated = false
	}
	os.RemoveAll(trial.folder)
	return c
}

func (c *containers) home(of *pod, container string) home {
	return home{
		folder:   filepath.Join(c.root, of.Metadata.UID, container),
		isolated: c.isolated,
		hostname: of.Metadata.Name,
		env: []string{
			"HOSTNAME=" + of.Metadata.Name,
			"POD_NAMESPACE=" + of.Metadata.Namespace,
			"FLEET_BED_MEMBER=" + c.member,
		},
	}
}

// home is where the commands of one container run.
type home struct {
	folder   string
	isolated bool
	hostname string
	env      []string
}

func (h home) command(ctx context.Context, command []string, tty bool) (*exec.Cmd, *startReport, error) {
	for _, folder := range []string{"tmp", "root"} {
		if err := os.MkdirAll(filepath.Join(h.folder, folder), 0o755); err != nil {
			return nil, nil, err
		}
	}
	started, err := newStartReport()
	if err != nil {
		return nil, nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	folder := h.folder
	attributes := &syscall.SysProcAttr{Setsid: true, Setctty: tty}
	if h.isolated {
		attributes.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWUTS
		if os.Getuid() != 0 {
			attributes.Cloneflags |= unix.CLONE_NEWUSER
			attributes.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
			attributes.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
		}
	} else {
		folder = ""
	}
	cmd := exec.CommandContext(ctx, self, append([]string{enterCommand, folder, h.hostname}, command...)...)
	cmd.SysProcAttr = attributes
	cmd.Dir = h.folder
	cmd.ExtraFiles = []*os.File{started.writer}
	cmd.WaitDelay = 2 * time.Second
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	// FLEET_BED_RUN is how the bed finds what it started
	cmd.Env = append([]string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "FLEET_BED_RUN=" + os.Getenv("FLEET_BED_RUN")}, h.env...)
	if tty {
		cmd.Env = append(cmd.Env, "TERM=xterm")
	}
	return cmd, started, nil
}

// enter runs in the new namespaces: it makes the folder the root, and becomes the command.
func enter(folder, hostname string, command []string) {
	report := os.NewFile(3, "report")
	unix.CloseOnExec(3)
	fail := func(err error) {
		report.WriteString(err.Error())
		os.Exit(1)
	}
	if folder != "" {
		if err := makeRoot(folder); err != nil {
			fail(err)
		}
		if hostname != "" {
			if err := unix.Sethostname([]byte(hostname)); err != nil {
				fail(err)
			}
		}
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		fail(err)
	}
	fail(unix.Exec(path, command, os.Environ()))
}

// makeRoot borrows the machine's programs, read-only, and goes into the folder.
func makeRoot(folder string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	for _, path := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/proc"} {
		if err := borrow(folder, path, path != "/proc"); err != nil {
			return err
		}
	}
	for _, device := range []string{"null", "zero", "full", "random", "urandom", "tty", "pts", "ptmx"} {
		if err := borrow(folder, "/dev/"+device, false); err != nil {
			return err
		}
	}
	if err := unix.Chroot(folder); err != nil {
		return err
	}
	return unix.Chdir("/")
}

func borrow(folder, path string, readOnly bool) error {
	target := filepath.Join(folder, path)
	kind, err := os.Lstat(path)
	if err != nil {
		return nil // this machine has none
	}
	if kind.Mode()&os.ModeSymlink != 0 {
		to, err := os.Readlink(path)
		if err == nil && !filepath.IsAbs(to) {
			if err := os.Symlink(to, target); err != nil && !os.IsExist(err) {
				return err
			}
			return nil
		}
	}
	if kind.IsDir() {
		err = os.MkdirAll(target, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		err = os.WriteFile(target, nil, 0o644)
	}
	if err != nil {
		return err
	}
	if err := unix.Mount(path, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return err
	}
	if readOnly {
		// in a user namespace the flags may be locked; there the user's own rights protect the files
		if err := unix.Mount("", target, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil && realRoot() {
			return err
		}
	}
	return nil
}

func realRoot() bool {
	mapping, err := os.ReadFile("/proc/self/uid_map")
	return err != nil || slices.Equal(strings.Fields(string(mapping)), []string{"0", "0", "4294967295"})
}
