package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

const (
	pageSize = 500
	// maxItems bounds one collection: the pods of one node are some hundred.
	maxItems = 5000
)

// api reads one cluster into raw.
type api struct {
	client kubernetes.Interface
	host   collector.Identity
	// nodeName is the node the user named.
	nodeName string
	// nodesWhole says that all nodes that matter could be read.
	nodesWhole bool
	raw        *raw
}

// read asks for everything, the permissions first. What is missing is a gap at
// exactly its path.
func (a *api) read(ctx context.Context) {
	if err := a.readVersion(ctx); err != nil {
		reason, detail := explain(err)
		for _, path := range clusterPaths {
			a.raw.gap(path, reason, "%s", detail)
		}
		return
	}
	getNodes := a.may(ctx, "get", "", "nodes")
	listNodes := a.may(ctx, "list", "", "nodes")
	listPods := a.may(ctx, "list", "", "pods")
	listSets := a.may(ctx, "list", "apps", "daemonsets")

	a.readNode(ctx, getNodes, listNodes)
	a.readPods(ctx, listPods)
	a.readDaemonSets(ctx, listSets)
}

// readVersion also shows whether there is a server at all: an error it returns
// would befall every other request too.
func (a *api) readVersion(ctx context.Context) error {
	v, err := discovery.ToServerVersionInterfaceWithContext(a.client.Discovery()).ServerVersionWithContext(ctx)
	var answered apierrors.APIStatus
	switch {
	case err == nil:
		a.raw.version = brief(v.GitVersion)
		return nil
	case errors.As(err, &answered) && !apierrors.IsUnauthorized(err) && !apierrors.IsTimeout(err):
		return nil
	}
	return err
}

// denial says why something must not be asked for; empty means it may be
// tried.
type denial string

// may asks the cluster what the account may do. Where the question itself is
// not answered, trying will tell.
func (a *api) may(ctx context.Context, verb, group, resource string) denial {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Group: group, Resource: resource},
	}}
	answer, err := a.client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return ""
	}
	a.raw.access = append(a.raw.access, facts.Access{Verb: verb, Group: group, Resource: resource, Allowed: answer.Status.Allowed, Reason: brief(answer.Status.Reason)})
	if answer.Status.Allowed {
		return ""
	}
	return denial(fmt.Sprintf("the account of the kubeconfig may not %s %s in all namespaces; grant it with the ClusterRole of deploy/", verb, resource))
}

func (a *api) readNode(ctx context.Context, get, listing denial) {
	var nodes list[corev1.Node]
	switch {
	case a.nodeName != "" && get == "":
		nodes = a.getNodes(ctx, []string{a.nodeName})
	case listing == "":
		nodes = pages(ctx, a.raw, nodePath, func(o metav1.ListOptions) ([]corev1.Node, string, error) {
			l, err := a.client.CoreV1().Nodes().List(ctx, o)
			if err != nil {
				return nil, "", err
			}
			return l.Items, l.Continue, nil
		})
	case get == "":
		nodes = a.getNodes(ctx, guesses(a.host))
		nodes.whole = false
		defer func() {
			if a.raw.node.node == nil {
				a.raw.gap(nodePath, facts.ReasonDenied, "%s", listing)
			}
		}()
	default:
		a.raw.gap(nodePath, facts.ReasonDenied, "%s", listing)
	}
	a.nodesWhole = nodes.whole
	a.raw.node = findNode(nodes, a.host, a.nodeName)
	if a.raw.node.doubt != "" && nodes.whole {
		a.raw.gap(nodePath, facts.ReasonFailed, "%s", a.raw.node.doubt)
	}
}

// getNodes gets nodes by name; whole says that each was found or is proven not
// to exist.
func (a *api) getNodes(ctx context.Context, names []string) list[corev1.Node] {
	l := list[corev1.Node]{whole: true}
	for _, name := range names {
		n, err := a.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		switch {
		case err == nil:
			a.raw.read = true
			l.items = append(l.items, *n)
		case !apierrors.IsNotFound(err):
			reason, detail := explain(err)
			a.raw.gap(nodePath, reason, "getting node %s: %s", name, detail)
			l.whole = false
			if reason == facts.ReasonTimeout || reason == facts.ReasonDenied {
				return l
			}
		}
	}
	return l
}

func (a *api) readPods(ctx context.Context, listing denial) {
	node := a.raw.node
	switch {
	case listing != "":
		a.raw.gap(podsPath, facts.ReasonDenied, "%s", listing)
	case node.none():
	case node.name != "":
		a.raw.pods = a.podsOn(ctx, node.name).items
		if node.node == nil && len(a.raw.pods) == 0 {
			a.raw.gap(podsPath, facts.ReasonFailed, "no pod is on a node named %s (--node), and whether there is such a node could not be checked", node.name)
		}
	default:
		a.guessPods(ctx)
	}
}

// guessPods finds the pods of this host where its node could not be read: a
// pod tells the address of its node.
func (a *api) guessPods(ctx context.Context) {
	for _, name := range guesses(a.host) {
		if a.nodesWhole || ended(ctx) {
			break
		}
		before := len(a.raw.gaps)
		pods := a.podsOn(ctx, name).items
		if len(a.raw.gaps) > before {
			return
		}
		if isHere(name, pods, a.host) {
			a.raw.node.name = name
			a.raw.pods = pods
			return
		}
	}
	reason := facts.ReasonFailed
	if ended(ctx) {
		reason = facts.ReasonTimeout
	}
	a.raw.gap(podsPath, reason, "which pods are on this host is not known, since its node is not: %s", a.raw.node.doubt)
}

// isHere reports whether the pods show that their node is this host: by the
// node's address, or where they do not tell it, by a name made of it.
func isHere(node string, pods []corev1.Pod, host collector.Identity) bool {
	for _, p := range pods {
		if p.Status.HostIP != "" {
			return host.HasAddress(p.Status.HostIP)
		}
	}
	return len(pods) > 0 && host.HasAddress(strings.TrimPrefix(node, "node-"))
}

func (a *api) podsOn(ctx context.Context, node string) list[corev1.Pod] {
	selector := fields.OneTermEqualSelector("spec.nodeName", node).String()
	return pages(ctx, a.raw, podsPath, func(o metav1.ListOptions) ([]corev1.Pod, string, error) {
		o.FieldSelector = selector
		l, err := a.client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

func (a *api) readDaemonSets(ctx context.Context, listing denial) {
	if listing != "" {
		a.raw.gap(daemonSetsPath, facts.ReasonDenied, "%s", listing)
		return
	}
	a.raw.daemonSets = pages(ctx, a.raw, daemonSetsPath, func(o metav1.ListOptions) ([]appsv1.DaemonSet, string, error) {
		l, err := a.client.AppsV1().DaemonSets(metav1.NamespaceAll).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	}).items
}

// pages reads a collection page by page; what it could not read is a gap.
func pages[T any](ctx context.Context, r *raw, path string, page func(metav1.ListOptions) ([]T, string, error)) list[T] {
	var l list[T]
	options := metav1.ListOptions{Limit: pageSize}
	for {
		items, next, err := page(options)
		if err != nil {
			reason, detail := explain(err)
			if len(l.items) > 0 {
				detail = fmt.Sprintf("after %d of them: %s", len(l.items), detail)
			}
			r.gap(path, reason, "%s", detail)
			return l
		}
		r.read = true
		l.items = append(l.items, items...)
		switch {
		case next == "":
			l.whole = true
			return l
		case len(l.items) >= maxItems:
			r.gap(path, facts.ReasonFailed, "there are more than the %d that are read", len(l.items))
			return l
		case next == options.Continue || ended(ctx):
			r.gap(path, facts.ReasonFailed, "the server's pages do not end")
			return l
		}
		options.Continue = next
	}
}
