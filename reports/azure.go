package reports

import (
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// AzurePipeline is the pipeline run that a SARIF file comes from. GitHub Advanced
// Security for Azure DevOps wants to be told.
type AzurePipeline struct {
	Organization, Project        string
	DefinitionID, DefinitionName string
	PhaseID, PhaseName           string
	Branch, BuildID              string
}

// AzurePipelineFrom reads the variables that Azure Pipelines sets; nil outside of
// a pipeline, or in one that does not say all that is needed.
func AzurePipelineFrom(getenv func(string) string) *AzurePipeline {
	organization := strings.TrimSuffix(getenv("SYSTEM_COLLECTIONURI"), "/")
	p := AzurePipeline{
		Organization: organization[strings.LastIndexByte(organization, '/')+1:], Project: getenv("SYSTEM_TEAMPROJECT"),
		DefinitionID: getenv("SYSTEM_DEFINITIONID"), DefinitionName: getenv("BUILD_DEFINITIONNAME"),
		PhaseID: getenv("SYSTEM_PHASEID"), PhaseName: getenv("SYSTEM_PHASENAME"),
		Branch: getenv("BUILD_SOURCEBRANCH"), BuildID: getenv("BUILD_BUILDID"),
	}
	if slices.Contains([]string{p.Organization, p.Project, p.DefinitionID, p.DefinitionName, p.PhaseID, p.PhaseName, p.Branch, p.BuildID}, "") {
		return nil
	}
	return &p
}

func (p *AzurePipeline) automation() *sarif.RunAutomationDetails {
	const prefix = "azuredevops/pipeline/build/"
	d := sarif.NewRunAutomationDetails().WithID(prefix + strings.Join([]string{p.Organization, p.Project, p.DefinitionID, p.PhaseID, p.Branch, p.BuildID}, "/"))
	d.Properties = sarif.NewPropertyBag()
	d.Properties.Add(prefix+"buildDefinitionId", p.DefinitionID)
	d.Properties.Add(prefix+"buildDefinitionName", p.DefinitionName)
	d.Properties.Add(prefix+"phaseId", p.PhaseID)
	d.Properties.Add(prefix+"phaseName", p.PhaseName)
	return d
}
