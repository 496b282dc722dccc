package envelope

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"os"
	"time"
)

var nameConstraints = asn1.ObjectIdentifier{2, 5, 29, 30}

// Identity is a private key with its certificate.
type Identity struct {
	Key  crypto.Signer
	Cert *x509.Certificate
}

// Trust says whose signatures count.
type Trust struct {
	Certs  []*x509.Certificate // trusted issuers, and the certificates of signers
	Signer string              // the subject that a signer must have, as CN=broker,O=Example; "" for anyone trusted
	Now    func() time.Time
}

// ReadCertificates reads all certificates of a PEM file.
func ReadCertificates(file string) ([]*x509.Certificate, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var certs []*x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		certs = append(certs, cert)
	}
	if len(certs) == 0 {
		return nil, fmt.Errorf("%s: no certificate in PEM", file)
	}
	return certs, nil
}

// ReadIdentity reads an unencrypted PKCS#8 key and its certificate, both in PEM.
func ReadIdentity(keyFile, certFile string) (Identity, error) {
	certs, err := ReadCertificates(certFile)
	if err != nil {
		return Identity{}, err
	}
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return Identity{}, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return Identity{}, fmt.Errorf("%s: no private key in PEM", keyFile)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return Identity{}, fmt.Errorf("%s: not an unencrypted PKCS#8 key", keyFile)
	}
	signer, ok := key.(crypto.Signer)
	public, known := certs[0].PublicKey.(interface{ Equal(crypto.PublicKey) bool })
	if !ok || !known || !public.Equal(signer.Public()) {
		return Identity{}, fmt.Errorf("%s: not the key of %s", keyFile, certFile)
	}
	return Identity{signer, certs[0]}, usable(certs[0])
}

// usable checks the kind and size of the key of a certificate.
func usable(cert *x509.Certificate) error {
	switch key := cert.PublicKey.(type) {
	case *ecdsa.PublicKey:
		if _, err := key.ECDH(); err == nil {
			return nil
		}
	case *rsa.PublicKey:
		if key.N.BitLen() >= 2048 && key.N.BitLen() <= 8192 {
			return nil
		}
	}
	return fmt.Errorf("%s: neither EC P-256, P-384, P-521 nor RSA of 2048 to 8192 bits", Subject(cert))
}

// Subject is the distinguished name in the order of RFC 4514.
func Subject(cert *x509.Certificate) string {
	var names pkix.RDNSequence
	if _, err := asn1.Unmarshal(cert.RawSubject, &names); err != nil {
		return ""
	}
	return names.String()
}

// keyID is the subject key identifier, by which envelopes name signers and recipients.
func keyID(cert *x509.Certificate) []byte {
	if len(cert.SubjectKeyId) > 0 {
		return cert.SubjectKeyId
	}
	var info struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}
	if _, err := asn1.Unmarshal(cert.RawSubjectPublicKeyInfo, &info); err != nil {
		return nil
	}
	id := sha1.Sum(info.Key.Bytes)
	return id[:]
}

// check rejects a signer that is not trusted, or not the expected one. others may be issuers of it.
func (t Trust) check(cert *x509.Certificate, others []*x509.Certificate, usage x509.KeyUsage) (string, error) {
	name := Subject(cert)
	if err := usable(cert); err != nil {
		return "", refuse("signer rejected", "%v", err)
	}
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	for _, c := range t.Certs {
		if c.IsCA || c.Equal(cert) { // for Go each trusted certificate of version 1 is an issuer
			roots.AddCert(c)
		}
	}
	for _, c := range others {
		if usable(c) == nil { // a stranger's key of 60,000 bits takes a third of a second
			between.AddCert(c)
		}
	}
	chains, err := cert.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: t.Now(),
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageEmailProtection}})
	if err != nil {
		return "", refuse("signer rejected", "%q: %v", name, err)
	}
	if len(chains[0]) > 5 {
		return "", refuse("signer rejected", "%q: more than four issuers", name)
	}
	for _, c := range chains[0] {
		for _, extension := range c.Extensions { // Go leaves out some kinds of names if the extension is not critical
			if extension.Id.Equal(nameConstraints) {
				return "", refuse("signer rejected", "%q: name constraints, which this program does not judge", name)
			}
		}
	}
	if cert.KeyUsage != 0 && (cert.KeyUsage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) == 0 ||
		cert.KeyUsage&usage != usage) {
		return "", refuse("signer rejected", "%q: its key usage does not allow it", name)
	}
	if t.Signer != "" && name != t.Signer {
		return "", refuse("signer not expected", "%q", name)
	}
	return name, nil
}
