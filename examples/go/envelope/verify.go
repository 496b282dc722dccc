package envelope

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
)

const (
	maxCerts      = 5
	maxCert       = 8_192
	maxAttributes = 16_384
	maxSignature  = 1_024
	maxHashes     = 32
)

// verify opens a SignedData. It returns the entity and the subject of the signer.
func (r *Reader) verify(envelope []byte) ([]byte, string, error) {
	top := read(envelope)
	info := top.in(0x30)
	info.must(oidSignedData)
	explicit := info.in(0xa0)
	data := explicit.in(0x30)
	data.must(version3)
	digests := data.in(0x31)
	digests.must(algSha512)
	content := data.in(0x30)
	contentType := content.element() // signed: see below
	octets := content.in(0xa0)
	signed := octets.in(0x04)
	certs, err := readCerts(&data)
	if err != nil {
		return nil, "", err
	}
	signers := data.in(0x31)
	signer := signers.in(0x30)
	signer.must(version3)
	name := signer.in(0x80)
	signer.must(algSha512)
	attributes := signer.in(0xa0).limit(maxAttributes)
	algorithm := signer.element()
	signature := signer.in(0x04).limit(maxSignature)
	entity := []byte(signed.rest)
	shared := bytes.Equal(contentType, oidHashList)
	if shared {
		unsigned := signer.in(0xa1)
		attribute := unsigned.in(0x30)
		attribute.must(oidEntity)
		values := attribute.in(0x31)
		entity = values.in(0x04).rest
		err = done("the shared signature", unsigned, attribute, values)
	}
	if err == nil {
		err = done("the signed envelope", top, info, explicit, data, digests, content, octets, signers, signer)
	}
	if err != nil {
		return nil, "", err
	}
	if !shared && !bytes.Equal(contentType, oidData) {
		return nil, "", refuse("malformed", "signed content of an unknown type")
	}
	digest := sha512.Sum512(signed.rest)
	certHash, err := readAttributes(attributes, contentType, digest[:])
	if err != nil {
		return nil, "", err
	}
	if shared && !inList(signed.rest, entity) {
		return nil, "", refuse("not authentic", "the entity is not in a good list of hashes")
	}
	candidates := certs
	if len(certs) == 0 { // the envelope only names it
		candidates = r.Trust.Certs
	}
	for _, cert := range candidates {
		if sum := sha256.Sum256(cert.Raw); bytes.Equal(sum[:], certHash) && bytes.Equal(keyID(cert), name.rest) {
			if usable(cert) == nil && !signatureIsRight(cert, tlv(0x31, attributes), algorithm, signature) {
				return nil, "", refuse("not authentic", "the signature is wrong, or of another algorithm than with SHA-512")
			}
			subject, err := r.Trust.check(cert, certs, 0)
			return entity, subject, err
		}
	}
	return nil, "", refuse("signer rejected", "the certificate of the signer is neither in the message nor known")
}

func readCerts(data *cursor) (certs []*x509.Certificate, err error) {
	if !data.has(0xa0) {
		return nil, nil
	}
	list := data.in(0xa0)
	for list.has(0x30) {
		der := list.element()
		if len(certs) == maxCerts || len(der) > maxCert {
			return nil, refuse("malformed", "too many or too long certificates")
		}
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, refuse("malformed", "certificate: %v", err)
		}
		certs = append(certs, cert)
	}
	return certs, done("the list of certificates", list)
}

// readAttributes checks the signed attributes. It returns the SHA-256 of the certificate that they name.
func readAttributes(attributes, contentType, digest []byte) ([]byte, error) {
	values := map[string][]byte{}
	for list := read(attributes); list.has(0); {
		attribute := list.in(0x30)
		kind := string(attribute.element())
		set := attribute.in(0x31)
		value := set.element()
		if err := done("a signed attribute", attribute, set); err != nil {
			return nil, err
		}
		if _, twice := values[kind]; twice || len(values) == 4 {
			return nil, refuse("malformed", "signed attributes: one occurs twice, or there are more than four")
		}
		values[kind] = value
	}
	if values[string(attrSigningTime)] == nil || !bytes.Equal(values[string(attrContentType)], contentType) {
		return nil, refuse("malformed", "signed attributes: no signing time, or another content type")
	}
	if !bytes.Equal(values[string(attrMessageDigest)], tlv(0x04, digest)) {
		return nil, refuse("not authentic", "the digest of the content is wrong")
	}
	whole := read(values[string(attrSigningCert)])
	one := whole.in(0x30)
	list := one.in(0x30)
	id := list.in(0x30)
	hash := id.in(0x04)
	return hash.rest, done("signing-certificate-v2", whole, one, list, id)
}

// inList tells whether a list of hashes is in order and has that of the entity.
func inList(list, entity []byte) bool {
	if len(list)%sha256.Size != 0 || len(list) > maxHashes*sha256.Size {
		return false
	}
	sum, found := sha256.Sum256(entity), false
	for at := 0; at < len(list); at += sha256.Size {
		hash := list[at : at+sha256.Size]
		if at > 0 && bytes.Compare(list[at-sha256.Size:at], hash) >= 0 {
			return false
		}
		found = found || bytes.Equal(hash, sum[:])
	}
	return found
}

func signatureIsRight(cert *x509.Certificate, attributes, algorithm, signature []byte) bool {
	digest := sha512.Sum512(attributes)
	switch key := cert.PublicKey.(type) {
	case *ecdsa.PublicKey:
		return bytes.Equal(algorithm, algEcdsa) && ecdsa.VerifyASN1(key, digest[:], signature)
	case *rsa.PublicKey:
		if bytes.Equal(algorithm, algPss) {
			return rsa.VerifyPSS(key, crypto.SHA512, digest[:], signature, &rsa.PSSOptions{SaltLength: 64}) == nil
		}
		return bytes.Equal(algorithm, algRsa) && rsa.VerifyPKCS1v15(key, crypto.SHA512, digest[:], signature) == nil
	}
	return false
}
