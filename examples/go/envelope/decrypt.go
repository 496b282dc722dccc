package envelope

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
)

const (
	maxRecipients        = 1_000
	maxWrapped, maxKeyID = 1_024, 64
)

// origin is the public key that a sender agreed with, if the envelope claims a sender.
type origin struct{ point []byte }

// wrapped is what an envelope has for one recipient. point and ukm are empty for an RSA key.
type wrapped struct{ key, point, ukm []byte }

// decrypt opens an AuthEnvelopedData. It returns the content, and the sender that the envelope proves by its data key.
func (r *Reader) decrypt(envelope []byte) ([]byte, *origin, error) {
	top := read(envelope)
	info := top.in(0x30)
	info.must(oidAuthData)
	explicit := info.in(0xa0)
	data := explicit.in(0x30)
	data.must(version0)
	infos := data.in(0x31)
	content := data.in(0x30)
	tag := data.in(0x04)
	content.must(oidData)
	algorithm := content.in(0x30)
	ciphertext := content.in(0x80)
	algorithm.must(oidAesGcm)
	parameters := algorithm.in(0x30)
	nonce := parameters.in(0x04)
	parameters.must(tagLength)
	if err := done("the encrypted envelope", top, info, explicit, data, content, algorithm, parameters); err != nil {
		return nil, nil, err
	}
	if len(nonce.rest) != 12 || len(tag.rest) != 16 {
		return nil, nil, refuse("malformed", "a nonce or tag of another length")
	}
	mine, alone, err := r.findRecipient(infos)
	if err != nil {
		return nil, nil, err
	}
	key, err := r.unwrap(mine)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, nil, err
	}
	clear, err := gcm.Open(nil, nonce.rest, append(bytes.Clone(ciphertext.rest), tag.rest...), nil)
	if err != nil {
		return nil, nil, refuse("not authentic", "the tag is wrong")
	}
	if mine.ukm != nil && alone {
		return clear, &origin{mine.point}, nil
	}
	return clear, nil, nil
}

// findRecipient finds the wrapped key for this identity, without using its private key. alone: no RecipientInfo is beside it.
func (r *Reader) findRecipient(infos cursor) (mine *wrapped, alone bool, err error) {
	id, count, groups := keyID(r.Identity.Cert), 0, 0
	for ; infos.has(0); groups++ {
		kind := infos.rest[0]
		switch {
		case kind == 0x30: // RSA
			recipient := infos.in(0x30)
			recipient.must(version2)
			name := recipient.in(0x80)
			if !*infos.failed && !bytes.HasPrefix(recipient.rest, algOaep) {
				return nil, false, refuse("policy", "an RSA recipient without OAEP and SHA-256")
			}
			recipient.must(algOaep)
			key := recipient.in(0x04).limit(maxWrapped)
			if bytes.Equal(name.limit(maxKeyID), id) && mine == nil {
				mine = &wrapped{key: key}
			}
			err = done("an RSA recipient", recipient)
			count++
		case kind == 0xa1: // EC
			var found *wrapped
			before := count
			found, count, err = readAgreement(infos.in(kind), id, count)
			count = max(count, before+1) // one without keys counts, too
			if mine == nil {
				mine = found
			}
		default: // ML-KEM and others
			infos.element()
			count++
		}
		if err != nil {
			return nil, false, err
		}
		if count > maxRecipients {
			return nil, false, refuse("malformed", "more than %d recipients", maxRecipients)
		}
	}
	if err := done("the list of recipients", infos); err != nil {
		return nil, false, err
	}
	if mine == nil {
		return nil, false, refuse("not a recipient", "the message is encrypted for others")
	}
	return mine, groups == 1, nil
}

// readAgreement reads a KeyAgreeRecipientInfo and counts its recipients.
func readAgreement(info cursor, id []byte, count int) (mine *wrapped, all int, err error) {
	info.must(version3)
	explicit := info.in(0xa0)
	originator := explicit.in(0xa1)
	originator.must(algEcKey)
	bits := originator.in(0x03)
	bits.must([]byte{0}) // no unused bits
	point := bits.limit(256)
	var ukm []byte
	var outer cursor
	if info.has(0xa1) {
		outer = info.in(0xa1)
		ukm = outer.in(0x04).limit(64)
	} else {
		outer = read(nil)
	}
	if !*info.failed && !bytes.HasPrefix(info.rest, algAgree) {
		return nil, 0, refuse("policy", "an EC recipient with another key derivation than by SHA-256")
	}
	info.must(algAgree)
	keys := info.in(0x30)
	for ; keys.has(0) && count <= maxRecipients; count++ {
		recipient := keys.in(0x30)
		named := recipient.in(0xa0)
		name := named.in(0x04).limit(maxKeyID)
		key := recipient.in(0x04)
		if err := done("an EC recipient", named, recipient); err != nil || len(key.rest) != 40 {
			return nil, 0, refuse("malformed", "an EC recipient is not of the form that this program reads")
		}
		if bytes.Equal(name, id) && mine == nil {
			mine = &wrapped{key.rest, point, ukm}
		}
	}
	if count <= maxRecipients {
		err = done("an EC recipient", info, explicit, originator, outer, keys)
	}
	if err == nil && ukm != nil && (len(ukm) != 32 || !bytes.Equal(namesOriginator(ukm[:16], point), ukm[16:])) {
		err = refuse("malformed", "user keying material that does not name the originator")
	}
	return mine, count, err
}

// unwrap uses the private key once.
func (r *Reader) unwrap(mine *wrapped) (key []byte, err error) {
	switch private := r.Identity.Key.(type) {
	case *rsa.PrivateKey:
		if mine.point == nil && len(mine.key) == private.Size() {
			key, _ = rsa.DecryptOAEP(sha256.New(), nil, private, mine.key, nil)
		}
	case *ecdsa.PrivateKey:
		own, err := private.ECDH()
		if err != nil {
			return nil, err
		}
		if public, err := own.Curve().NewPublicKey(mine.point); err == nil { // checks that the point is on the curve
			if kek, err := agree(own, public, mine.ukm); err == nil {
				key = keyWrap(kek, mine.key)
			}
		}
	}
	if len(key) != 32 {
		return nil, refuse("not authentic", "the data key does not unwrap")
	}
	return key, nil
}

// checkSender finds the certificate of a sender that agreed, and checks it like that of a signer.
func (r *Reader) checkSender(sender *origin) (string, error) {
	for _, cert := range r.Trust.Certs {
		if public, ok := cert.PublicKey.(*ecdsa.PublicKey); ok {
			if key, err := public.ECDH(); err == nil && bytes.Equal(key.Bytes(), sender.point) {
				return r.Trust.check(cert, nil, x509.KeyUsageKeyAgreement)
			}
		}
	}
	return "", refuse("signer rejected", "the certificate of the sender is not known")
}
