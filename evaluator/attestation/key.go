package attestation

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// ReadPrivateKey reads an ed25519 key as openssl writes it (PEM, PKCS #8). The
// key itself is in no error.
func ReadPrivateKey(file string, text []byte) (ed25519.PrivateKey, error) {
	block, err := pemBlock(file, text, "PRIVATE KEY", "openssl genpkey -algorithm ed25519 writes one")
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block)
	if err != nil {
		return nil, fmt.Errorf("%s holds no private key in PKCS #8", file)
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s holds another kind of key; want ed25519", file)
	}
	return key, nil
}

// ReadPublicKey reads an ed25519 key as openssl writes it (PEM, PKIX).
func ReadPublicKey(file string, text []byte) (ed25519.PublicKey, error) {
	block, err := pemBlock(file, text, "PUBLIC KEY", "openssl pkey -pubout writes one")
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKIXPublicKey(block)
	if err != nil {
		return nil, fmt.Errorf("%s holds no public key: %w", file, err)
	}
	key, ok := parsed.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("%s holds another kind of key; want ed25519", file)
	}
	return key, nil
}

func pemBlock(file string, text []byte, kind, hint string) ([]byte, error) {
	block, _ := pem.Decode(text)
	switch {
	case block == nil:
		return nil, fmt.Errorf("%s is no PEM file; %s", file, hint)
	case block.Type == "ENCRYPTED PRIVATE KEY":
		return nil, fmt.Errorf("%s is encrypted; give a key without a passphrase, such as a pipeline's secret file", file)
	case block.Type != kind:
		return nil, fmt.Errorf("%s holds a %s; want a %s (%s)", file, block.Type, kind, hint)
	}
	return block.Bytes, nil
}

// key is an ed25519 key as DSSE wants it.
type key struct {
	private ed25519.PrivateKey
	public  ed25519.PublicKey
}

var errSignature = errors.New("the signature does not match")

// Sign signs the pre-authentication encoding of an envelope.
func (k key) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(k.private, data), nil
}

// Verify checks a signature of the same.
func (k key) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(k.public, data, sig) {
		return errSignature
	}
	return nil
}

// KeyID is the fingerprint of the key, as ssh-keygen prints it.
func (k key) KeyID() (string, error) { return dsse.SHA256KeyID(k.public) }

// Public is the public key.
func (k key) Public() crypto.PublicKey { return k.public }
