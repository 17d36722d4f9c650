package attestation

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/gpugate/gpugate/evaluator"
)

func newKey(t *testing.T) (ed25519.PrivateKey, ed25519.PublicKey) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return private, public
}

var (
	assessment = &evaluator.Assessment{Host: evaluator.HostIdentity{Name: "cvd-1"}, Facts: evaluator.FactsDigest{SHA256: "f"}, Policies: evaluator.PolicyDigest{SHA256: "p"}, Waivers: &evaluator.WaiverReport{SHA256: "w"}}
	text       = []byte(`{"an": "assessment"}`)
)

func signed(t *testing.T, private ed25519.PrivateKey) []byte {
	t.Helper()
	e, err := Sign(context.Background(), private, "a.json", text, assessment)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSignAndVerify(t *testing.T) {
	private, public := newKey(t)
	envelope := signed(t, private)
	if !bytes.Equal(envelope, signed(t, private)) {
		t.Error("the same assessment is signed with other bytes")
	}
	s, err := Verify(t.Context(), public, "e.json", envelope, text)
	if err != nil {
		t.Fatal(err)
	}
	if s.Predicate.Host != "cvd-1" || s.Predicate.Facts != "f" || s.Predicate.Policies != "p" || s.Predicate.Waivers != "w" || s.Subject[0].Name != "a.json" {
		t.Errorf("%+v", s)
	}
}

func TestVerifyRefuses(t *testing.T) {
	private, public := newKey(t)
	otherPrivate, otherPublic := newKey(t)
	change := func(edit func(*dsse.Envelope)) []byte {
		var e dsse.Envelope
		if err := json.Unmarshal(signed(t, private), &e); err != nil {
			t.Fatal(err)
		}
		edit(&e)
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	payload := func(edit func(string) string) []byte {
		return change(func(e *dsse.Envelope) {
			b, err := base64.StdEncoding.DecodeString(e.Payload)
			if err != nil {
				t.Fatal(err)
			}
			e.Payload = base64.StdEncoding.EncodeToString([]byte(edit(string(b))))
		})
	}
	// resigned is a payload that the right key has signed all the same.
	resigned := func(edit func(string) string) []byte {
		return change(func(e *dsse.Envelope) {
			b, err := base64.StdEncoding.DecodeString(e.Payload)
			if err != nil {
				t.Fatal(err)
			}
			body := []byte(edit(string(b)))
			e.Payload = base64.StdEncoding.EncodeToString(body)
			e.Signatures[0].Sig = base64.StdEncoding.EncodeToString(ed25519.Sign(private, dsse.PAE(e.PayloadType, body)))
		})
	}
	same := func(s string) string { return s }
	if _, err := Verify(t.Context(), public, "e", resigned(same), text); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		envelope []byte
		key      ed25519.PublicKey
		text     []byte
		want     string
		unread   bool
	}{
		"another assessment":     {signed(t, private), public, []byte("{}"), "it is for a.json (sha256:", false},
		"another key":            {signed(t, private), otherPublic, text, "signed with another key", false},
		"the other's signature":  {signed(t, otherPrivate), public, text, "signed with another key", false},
		"changed payload":        {payload(func(s string) string { return strings.Replace(s, "cvd-1", "cvd-2", 1) }), public, text, "changed after it was signed", false},
		"changed signature":      {change(func(e *dsse.Envelope) { e.Signatures[0].Sig = base64.StdEncoding.EncodeToString(make([]byte, 64)) }), public, text, "changed after it was signed", false},
		"key id of ours alone":   {change(func(e *dsse.Envelope) { e.Signatures[0].KeyID = "" }), otherPublic, text, "not of this key", false},
		"payload type":           {change(func(e *dsse.Envelope) { e.PayloadType = "text/plain" }), public, text, `it is about "text/plain"`, false},
		"another predicate":      {resigned(func(s string) string { return strings.Replace(s, PredicateType, "https://slsa.dev/x", 1) }), public, text, "not about an assessment", false},
		"another statement":      {resigned(func(s string) string { return strings.Replace(s, StatementType, "x", 1) }), public, text, "not an in-toto statement", false},
		"more than we know":      {resigned(func(s string) string { return strings.Replace(s, "{", `{"more": 1,`, 1) }), public, text, "cannot be read", false},
		"two statements":         {resigned(func(s string) string { return s + s }), public, text, "goes on after its end", false},
		"no subject":             {resigned(func(s string) string { return strings.Replace(s, digest(text), "", 1) }), public, text, "it is for a.json", false},
		"no signature":           {change(func(e *dsse.Envelope) { e.Signatures = nil }), public, text, "is no DSSE envelope", true},
		"no envelope":            {[]byte(`[1]`), public, text, "e.json:1:1", true},
		"not even JSON":          {[]byte(`{`), public, text, "e.json:1:2", true},
		"a signature in no code": {change(func(e *dsse.Envelope) { e.Signatures[0].Sig = "%%" }), public, text, "does not hold", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Verify(t.Context(), tc.key, "e.json", tc.envelope, tc.text)
			if s != nil || err == nil || !strings.Contains(err.Error(), tc.want) || errors.Is(err, ErrDoesNotHold) == tc.unread {
				t.Errorf("%+v %v", s, err)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	private, public := newKey(t)
	encode := func(kind string, b []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b})
	}
	b, err := x509.MarshalPKCS8PrivateKey(private)
	privatePEM := encode("PRIVATE KEY", b, err)
	b, err = x509.MarshalPKIXPublicKey(public)
	publicPEM := encode("PUBLIC KEY", b, err)
	if k, err := ReadPrivateKey("k", privatePEM); err != nil || !k.Equal(private) {
		t.Error(err)
	}
	if k, err := ReadPublicKey("k", publicPEM); err != nil || !k.Equal(public) {
		t.Error(err)
	}
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	b, err = x509.MarshalPKCS8PrivateKey(r)
	rsaPEM := encode("PRIVATE KEY", b, err)
	b, err = x509.MarshalPKIXPublicKey(&r.PublicKey)
	rsaPublic := encode("PUBLIC KEY", b, err)
	for want, in := range map[string][]byte{
		"k is no PEM file":                     []byte("hello"),
		"k holds a PUBLIC KEY; want a PRIVATE": publicPEM,
		"another kind of key; want ed25519":    rsaPEM,
		"k is encrypted":                       encode("ENCRYPTED PRIVATE KEY", []byte("x"), nil),
		"k holds no private key in PKCS #8":    encode("PRIVATE KEY", []byte("secretsecret"), nil),
	} {
		_, err := ReadPrivateKey("k", in)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secretsecret") {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	for want, in := range map[string][]byte{
		"k is no PEM file":                     nil,
		"k holds a PRIVATE KEY; want a PUBLIC": privatePEM,
		"another kind of key; want ed25519":    rsaPublic,
		"k holds no public key":                encode("PUBLIC KEY", []byte("x"), nil),
	} {
		if _, err := ReadPublicKey("k", in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// The keys are those that openssl makes.
func TestKeysOfOpenSSL(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not installed")
	}
	file := filepath.Join(t.TempDir(), "k.pem")
	if out, err := exec.Command(openssl, "genpkey", "-algorithm", "ed25519", "-out", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	privatePEM, err := exec.Command(openssl, "pkey", "-in", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	publicPEM, err := exec.Command(openssl, "pkey", "-in", file, "-pubout").Output()
	if err != nil {
		t.Fatal(err)
	}
	private, err := ReadPrivateKey(file, privatePEM)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ReadPublicKey(file, publicPEM)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(t.Context(), public, "e", signed(t, private), text); err != nil {
		t.Error(err)
	}
}
