package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/gpugate/gpugate/collector/facts"
)

// PodLogs returns what reads the last lines of a pod's container, each behind
// its time. Where it cannot, or not to the end, the gap says why; it holds
// nothing of the log.
func PodLogs(o Options) func(ctx context.Context, namespace, pod, container string, lines int, to io.Writer) *facts.Gap {
	client := sync.OnceValues(func() (kubernetes.Interface, error) {
		config, err := o.config()
		if err != nil {
			return nil, err
		}
		return kubernetes.NewForConfig(config)
	})
	return func(ctx context.Context, namespace, pod, container string, lines int, to io.Writer) *facts.Gap {
		c, err := client()
		if err != nil {
			reason := facts.ReasonFailed
			if failed, ok := errors.AsType[*configError](err); ok {
				reason = failed.reason
			}
			return &facts.Gap{Reason: reason, Detail: "reading the logs of pods: " + brief(err.Error())}
		}
		if err := readLog(ctx, c, namespace, pod, container, lines, to); err != nil {
			reason, detail := explain(err)
			return &facts.Gap{Reason: reason, Detail: fmt.Sprintf("reading the log of pod %s/%s: %s", namespace, pod, detail)}
		}
		return nil
	}
}

func readLog(ctx context.Context, c kubernetes.Interface, namespace, pod, container string, lines int, to io.Writer) (err error) {
	request := c.CoreV1().Pods(namespace).GetLogs(pod, &corev1.PodLogOptions{Container: container, TailLines: new(int64(lines)), Timestamps: true})
	body, err := request.Stream(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	_, err = io.Copy(to, body)
	return err
}
