package main

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/util/retry"
)

// Two writers count in one object: no count is lost, though they overwrite each other all the time (RV-5).
func (b *bench) conflict(writes int) {
	maps := kubernetes.NewForConfigOrDie(b.config).CoreV1().ConfigMaps(b.namespace)
	name := b.named("counted")
	b.step("conflict", "create", func() error {
		counter := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"count": "0"}}
		_, err := maps.Create(b.ctx, counter, metav1.CreateOptions{})
		return err
	})
	b.step("conflict", "count", func() error {
		var conflicts atomic.Int32
		var writers sync.WaitGroup
		failures := make(chan error, 2*writes)
		for range 2 {
			writers.Go(func() {
				for range writes {
					failures <- b.countOne(maps, name, &conflicts)
				}
			})
		}
		writers.Wait()
		close(failures)
		for err := range failures {
			if err != nil {
				return err
			}
		}
		got, err := maps.Get(b.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if conflicts.Load() == 0 {
			return fmt.Errorf("the writers never met")
		}
		return expect("the count", got.Data["count"], strconv.Itoa(2*writes))
	})
}

func (b *bench) countOne(maps typedcorev1.ConfigMapInterface, name string, conflicts *atomic.Int32) error {
	// Patient: each of two writers may be the unlucky one a few times running.
	backoff := retry.DefaultBackoff
	backoff.Steps = 20
	return retry.RetryOnConflict(backoff, func() error {
		got, err := maps.Get(b.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		count, err := strconv.Atoi(got.Data["count"])
		if err != nil {
			return err
		}
		got.Data["count"] = strconv.Itoa(count + 1)
		_, err = maps.Update(b.ctx, got, metav1.UpdateOptions{})
		if apierrors.IsConflict(err) {
			conflicts.Add(1)
		}
		return err
	})
}
