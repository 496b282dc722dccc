package envelope

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"fmt"
	"strconv"
	"time"
)

// Writer seals messages by one policy.
type Writer struct {
	Identity   Identity // signs, or agrees
	Recipients []*x509.Certificate
	Quality    string
}

// Seal seals a payload for the address: as one envelope, or as the segments of a large message.
func (w *Writer) Seal(address, body, contentType string, payload []byte) ([]byte, error) {
	id := newMessageID()
	if len(payload) <= maxSegment {
		return w.sealEntity(append(header(id, address, body, contentType, ""), payload...))
	}
	var all []byte
	for number := 1; len(payload) > 0; number++ {
		part := payload[:min(len(payload), maxSegment)]
		payload = payload[len(part):]
		segment := strconv.Itoa(number)
		if len(payload) == 0 {
			segment += " last"
		}
		envelope, err := w.sealEntity(append(header(id, address, body, contentType, segment), part...))
		if err != nil {
			return nil, err
		}
		all = append(all, envelope...)
	}
	return all, nil
}

func (w *Writer) sealEntity(entity []byte) ([]byte, error) {
	switch w.Quality {
	case "integrity":
		return w.sign(entity)
	case "privacy":
		signed, err := w.sign(entity)
		if err != nil {
			return nil, err
		}
		return w.encrypt(signed)
	case "confidentiality", "authenticity":
		return w.encrypt(entity)
	}
	return nil, fmt.Errorf("quality %q: not one of integrity, privacy, confidentiality, authenticity", w.Quality)
}

func (w *Writer) sign(entity []byte) ([]byte, error) {
	digest, cert := sha512.Sum512(entity), sha256.Sum256(w.Identity.Cert.Raw)
	now := time.Now().UTC()
	moment := tlv(0x17, []byte(now.Format("060102150405Z")))
	if now.Year() >= 2050 {
		moment = tlv(0x18, []byte(now.Format("20060102150405Z")))
	}
	attributes := set(0x31,
		tlv(0x30, attrContentType, tlv(0x31, oidData)),
		tlv(0x30, attrSigningTime, tlv(0x31, moment)),
		tlv(0x30, attrMessageDigest, tlv(0x31, tlv(0x04, digest[:]))),
		tlv(0x30, attrSigningCert, tlv(0x31, tlv(0x30, tlv(0x30, tlv(0x30, tlv(0x04, cert[:])))))))
	toSign := sha512.Sum512(attributes)
	signature, err := w.Identity.Key.Sign(rand.Reader, toSign[:], crypto.SHA512)
	if err != nil {
		return nil, err
	}
	algorithm := algEcdsa
	if _, isRsa := w.Identity.Key.(*rsa.PrivateKey); isRsa {
		algorithm = algRsa
	}
	attributes[0] = 0xa0 // signed as a SET OF, written as [0]
	signer := tlv(0x30, version3, tlv(0x80, keyID(w.Identity.Cert)), algSha512, attributes, algorithm, tlv(0x04, signature))
	return tlv(0x30, oidSignedData, tlv(0xa0, tlv(0x30, version3, tlv(0x31, algSha512),
		tlv(0x30, oidData, tlv(0xa0, tlv(0x04, entity))), tlv(0xa0, w.Identity.Cert.Raw), tlv(0x31, signer)))), nil
}

// encrypt uses a new data key for each envelope, so the counter of its nonce is 0.
func (w *Writer) encrypt(content []byte) ([]byte, error) {
	key, nonce := make([]byte, 32), make([]byte, 12)
	_, _ = rand.Read(key) // never fails
	_, _ = rand.Read(nonce[:4])
	infos, err := w.recipientInfos(key)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	sealed := gcm.Seal(nil, nonce, content, nil)
	ciphertext, tag := sealed[:len(content)], sealed[len(content):]
	return tlv(0x30, oidAuthData, tlv(0xa0, tlv(0x30, version0, set(0x31, infos...),
		tlv(0x30, oidData, tlv(0x30, oidAesGcm, tlv(0x30, tlv(0x04, nonce), tagLength)), tlv(0x80, ciphertext)),
		tlv(0x04, tag)))), nil
}

// recipientInfos wraps the data key for each recipient: one info per RSA key, and one per curve.
func (w *Writer) recipientInfos(key []byte) (infos [][]byte, err error) {
	curves := map[ecdh.Curve][]*x509.Certificate{}
	for _, cert := range w.Recipients {
		now := time.Now()
		if err := usable(cert); err != nil || now.Before(cert.NotBefore) || now.After(cert.NotAfter) {
			return nil, fmt.Errorf("recipient %q: an unusable key, or the certificate is not valid now", Subject(cert))
		}
		switch public := cert.PublicKey.(type) {
		case *rsa.PublicKey:
			wrapped, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public, key, nil)
			if err != nil {
				return nil, err
			}
			infos = append(infos, tlv(0x30, version2, tlv(0x80, keyID(cert)), algOaep, tlv(0x04, wrapped)))
		case *ecdsa.PublicKey:
			ecdhKey, err := public.ECDH()
			if err != nil {
				return nil, err
			}
			curves[ecdhKey.Curve()] = append(curves[ecdhKey.Curve()], cert)
		}
	}
	for curve, certs := range curves {
		info, err := w.agreement(key, curve, certs)
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	if len(infos) == 0 || w.Quality == "authenticity" && (len(infos) != 1 || len(curves) != 1) {
		return nil, fmt.Errorf("%s: no recipients, or not all with EC keys on the curve of the sender", w.Quality)
	}
	return infos, nil
}

// agreement makes the KeyAgreeRecipientInfo of a curve: by the sender's key under authenticity, else by a new one.
func (w *Writer) agreement(key []byte, curve ecdh.Curve, certs []*x509.Certificate) ([]byte, error) {
	var private *ecdh.PrivateKey
	var ukm, ukmField []byte
	var err error
	if w.Quality != "authenticity" {
		private, err = curve.GenerateKey(rand.Reader)
	} else if own, isEc := w.Identity.Key.(*ecdsa.PrivateKey); !isEc {
		err = fmt.Errorf("authenticity: the sender needs an EC key")
	} else if private, err = own.ECDH(); err == nil {
		ukm = make([]byte, 16)
		_, _ = rand.Read(ukm)
		ukm = append(ukm, namesOriginator(ukm, private.PublicKey().Bytes())...)
		ukmField = tlv(0xa1, tlv(0x04, ukm))
	}
	if err != nil {
		return nil, err
	}
	var keys [][]byte
	for _, cert := range certs {
		public, err := cert.PublicKey.(*ecdsa.PublicKey).ECDH()
		if err != nil {
			return nil, err
		}
		kek, err := agree(private, public, ukm)
		if err != nil {
			return nil, err // another curve than the sender's
		}
		keys = append(keys, tlv(0x30, tlv(0xa0, tlv(0x04, keyID(cert))), tlv(0x04, keyWrap(kek, key))))
	}
	point := tlv(0x03, []byte{0}, private.PublicKey().Bytes())
	return tlv(0xa1, version3, tlv(0xa0, tlv(0xa1, algEcKey, point)), ukmField, algAgree, tlv(0x30, keys...)), nil
}
