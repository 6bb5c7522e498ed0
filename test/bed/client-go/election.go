package main

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Three who want to lead by one Lease: at any time one does, as another client reads.
func (b *bench) election() {
	clients := kubernetes.NewForConfigOrDie(b.config)
	name := b.named("led")
	leads := make(chan string, 10)
	lease := func() (*coordinationv1.Lease, error) {
		return clients.CoordinationV1().Leases(b.namespace).Get(b.ctx, name, metav1.GetOptions{})
	}
	run := func(identity string, releases bool) (context.CancelFunc, error) {
		ctx, cancel := context.WithCancel(b.ctx)
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Name: name, Namespace: b.namespace},
				Client:     clients.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
			},
			LeaseDuration:   3 * time.Second,
			RenewDeadline:   2 * time.Second,
			RetryPeriod:     200 * time.Millisecond,
			ReleaseOnCancel: releases,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leads <- identity },
				OnStoppedLeading: func() {},
			},
		})
		if err != nil {
			cancel()
			return nil, err
		}
		go elector.Run(ctx)
		return cancel, nil
	}
	next := func(wanted string, transitions int32) error {
		select {
		case leader := <-leads:
			if err := expect("the leader", leader, wanted); err != nil {
				return err
			}
		case <-time.After(b.patience):
			return fmt.Errorf("nobody leads instead of %q", wanted)
		}
		got, err := lease()
		if err != nil {
			return err
		}
		return expect("the lease", fmt.Sprint(*got.Spec.HolderIdentity, " ", *got.Spec.LeaseTransitions), fmt.Sprint(wanted, " ", transitions))
	}
	var ends [3]context.CancelFunc

	b.step("election", "the first leads", func() (err error) {
		if ends[0], err = run("first", true); err != nil {
			return err
		}
		return next("first", 0)
	})
	b.step("election", "it goes on, and the second waits", func() (err error) {
		if ends[1], err = run("second", false); err != nil {
			return err
		}
		before, err := lease()
		if err != nil {
			return err
		}
		return b.until(func() error {
			now, err := lease()
			if err != nil {
				return err
			}
			// Longer than the lease itself would last.
			if now.Spec.RenewTime.Sub(before.Spec.RenewTime.Time) < 4*time.Second {
				return fmt.Errorf("it is not renewed")
			}
			return expect("who leads", fmt.Sprint(*now.Spec.HolderIdentity, len(leads)), "first0")
		})
	})
	b.step("election", "it gives up, and the second leads", func() error {
		ends[0]()
		return next("second", 1)
	})
	b.step("election", "the second vanishes, and the third leads", func() (err error) {
		if ends[2], err = run("third", true); err != nil {
			return err
		}
		ends[1]()
		return next("third", 2)
	})
	for _, end := range ends {
		if end != nil {
			end()
		}
	}
}
