package redact

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestArgs(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"flag and value", "--api-key s3cr3t --port 8000", "--api-key [redacted] --port 8000"},
		{"assigned flag", "--api-key=s3cr3t", "--api-key=[redacted]"},
		{"variable", "HF_TOKEN=abc python serve.py", "HF_TOKEN=[redacted] python serve.py"},
		{"flag without value", "--auth --port 1", "--auth --port 1"},
		{"token counts stay", "--max-tokens 4096 --max-num-batched-tokens=8192", "--max-tokens 4096 --max-num-batched-tokens=8192"},
		{"userinfo", "--url https://me:pw@host/x", "--url https://[redacted]@host/x"},
		{"at sign in a path", "https://host/a@b", "https://host/a@b"},
		{"signed link", "https://h/x?q-ak=AK&q-sign-time=1%3B2&q-signature=ff", "https://h/x?q-ak=[redacted]&q-sign-time=1%3B2&q-signature=[redacted]"},
		{"known shape", "--model hf_abcdefghijklmnopqrstuvwxyz", "--model [redacted]"},
		{"model name stays", "--model keyhole/token-model-7b", "--model keyhole/token-model-7b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := strings.Join(Args(strings.Fields(tc.in)), " "); got != tc.want {
				t.Errorf("Args(%q)\n got %q\nwant %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestArgsHeader(t *testing.T) {
	got := Args([]string{"wget", "--header", "x-cos-token: abcdef", "http://h/"})
	if want := []string{"wget", "--header", Mark, "http://h/"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEnvironmentKeepsOnlyAllowlistedValues(t *testing.T) {
	got := Environment([]string{"API_KEY=s3cr3t", "CUDA_VISIBLE_DEVICES=0,1", "PATH=/bin"})
	if got[0].Value != nil || got[2].Value != nil {
		t.Errorf("a value outside the allowlist was kept: %+v", got)
	}
	if got[1].Value == nil || *got[1].Value != "0,1" {
		t.Errorf("CUDA_VISIBLE_DEVICES lost its value: %+v", got[1])
	}
}

// A seeded secret never survives, whatever stands around it.
func TestSeededSecretsNeverSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[A-Za-z0-9]{12,24}Zq`).Draw(t, "secret")
		name := rapid.SampledFrom([]string{"--api-key", "--token", "--password", "--hf-token", "--secret-key"}).Draw(t, "flag")
		noise := rapid.SliceOfN(rapid.StringMatching(`--[a-z]{3,8}`), 0, 4).Draw(t, "noise")
		var args []string
		if rapid.Bool().Draw(t, "assigned") {
			args = append(noise, name+"="+secret)
		} else {
			args = append(noise, name, secret)
		}
		if strings.Contains(strings.Join(Args(args), " "), secret) {
			t.Fatalf("the secret survived in %q", Args(args))
		}
	})
}

func TestArgsWithinOneArgument(t *testing.T) {
	for given, want := range map[string]string{
		"serve --api-key  swordfish --port 80":                 "serve --api-key  [redacted] --port 80",
		"two words":                                            "two words",
		"run -e HF_TOKEN=swordfish img serve":                  "run -e HF_TOKEN=[redacted] img serve",
		"curl -H 'Authorization: Bearer abcdefghij' http://h/": "curl -H 'Authorization: [redacted]' http://h/",
	} {
		got := Args([]string{"sh", "-c", given})[2]
		if strings.Contains(got, "swordfish") || strings.Contains(got, "abcdefghij") {
			t.Errorf("a secret stayed in %q", got)
		}
		if got != want {
			t.Errorf("Args(%q) = %q, want %q", given, got, want)
		}
	}
}

func TestTextWithin(t *testing.T) {
	for text, want := range map[string]string{
		"forbidden: token=abc":                    "forbidden: token=[redacted]",
		"serve --password abc --port 8000":        "serve --password [redacted] --port 8000",
		"sh -c 'serve --api-key abc'":             "sh -c 'serve --api-key [redacted]'",
		`serve --password "two words" x`:          "serve --password [redacted] x",
		`password="two words" x`:                  `password="[redacted]" x`,
		"password='two words' x":                  "password='[redacted]' x",
		`{"token": "two words"}`:                  `{"token": "[redacted]"}`,
		"<n>x --api-key abc</n>":                  "<n>x --api-key [redacted]</n>",
		"--auth --tls":                            "--auth --tls",
		"https://example.com/a?sign=abc&n=1":      "https://example.com/a?sign=[redacted]&n=1",
		"--max-tokens 5 --tokenizer /m key.json=": "--max-tokens 5 --tokenizer /m key.json=",
	} {
		if got := Text(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
		if again := Text(Text(text)); again != want {
			t.Errorf("%s: redacted twice: %s", text, again)
		}
	}
}
