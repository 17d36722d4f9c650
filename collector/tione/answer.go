package tione

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// The answers of TI-ONE's API (version 2021-11-11), as far as they are read.
// Almost every field may be null.

// envelope is the frame most tools print around an answer.
type envelope struct {
	Response *answer
	answer
}

type answer struct {
	Error            *apiError
	ResourceGroupSet *[]groupAnswer
	Service          *service
	groupAnswer
	// root is the JSON pointer of the answer in its file.
	root string
}

type apiError struct {
	Code, Message *string
}

// groupAnswer is one group.
type groupAnswer struct {
	TotalCount          *int64
	InstanceSet         *[]instance
	ResourceGroupId     *string
	ResourceGroupName   *string
	ResourceGroupSWType *string
	scheduling
	// pointer is the JSON pointer of the group in its file.
	pointer string
}

func (g *groupAnswer) instances() []instance { return value0(g.InstanceSet) }

type service struct {
	ResourceGroupId     *string
	ResourceGroupName   *string
	ResourceGroupSWType *string
	scheduling
}

type scheduling struct {
	SchedulingPolicy *struct {
		CrossResourceGroupScheduling *bool
	}
	ExternalResourceGroups []struct {
		ResourceGroupId *string
	}
}

type instance struct {
	InstanceId, InstanceName, InstanceStatus, InstanceIP *string
	CvmInstanceId, SpecId, SpecAlias                     *string
	ErrCode, ErrMsg                                      *string
	TotalResource, UsedResource, AvailableResource       *resources
}

// resources counts GPUs in hundredths of a card and memory in MB.
type resources struct {
	Gpu, RealGpu, Memory *int64
	GpuType              *string
}

// decode reads an answer with or without its envelope. An answer that is an
// error gives its reason.
func decode(in input) (*answer, facts.Reason, error) {
	var e envelope
	if err := facts.UnmarshalJSON(in.file, in.text, &e); err != nil {
		return nil, facts.ReasonFailed, err
	}
	a := &e.answer
	if e.Response != nil {
		a = e.Response
		a.root = "/Response"
	}
	if a.Error != nil {
		code := value0(a.Error.Code)
		reason := facts.ReasonFailed
		if isDenial(code) {
			reason = facts.ReasonDenied
		}
		return nil, reason, fmt.Errorf("%s: TI-ONE answered %s: %s", in.file, code, clean(a.Error.Message))
	}
	if a.ResourceGroupSet == nil && a.InstanceSet == nil && a.Service == nil && a.TotalCount == nil {
		return nil, facts.ReasonFailed, fmt.Errorf("%s: this is no answer of DescribeBillingResourceGroup: it has neither InstanceSet nor TotalCount", in.file)
	}
	return a, "", nil
}

// isHost reports whether the node is this host, by address, name or CVM id.
func (n instance) isHost(host collector.Identity) bool {
	return host.HasAddress(value0(n.InstanceIP)) || host.HasName(value0(n.InstanceName)) ||
		n.CvmInstanceId != nil && slices.Contains(host.Names, *n.CvmInstanceId)
}

func (n instance) facts(host collector.Identity) facts.Instance {
	total, used, available := value0(n.TotalResource), value0(n.UsedResource), value0(n.AvailableResource)
	return facts.Instance{
		ID:                     value0(n.InstanceId),
		Name:                   value0(n.InstanceName),
		Status:                 value0(n.InstanceStatus),
		IP:                     value0(n.InstanceIP),
		CVMID:                  value0(n.CvmInstanceId),
		ThisHost:               n.isHost(host),
		SpecID:                 value0(n.SpecId),
		SpecName:               value0(n.SpecAlias),
		GPUType:                value0(total.GpuType),
		TotalGPUHundredths:     total.Gpu,
		UsedGPUHundredths:      used.Gpu,
		AvailableGPUHundredths: available.Gpu,
		RealGPUHundredths:      total.RealGpu,
		TotalMemoryMB:          total.Memory,
		ErrorCode:              value0(n.ErrCode),
		ErrorMessage:           clean(n.ErrMsg),
	}
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }
