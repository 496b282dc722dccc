package envelope

import (
	"bytes"
	"crypto/aes"
	"crypto/ecdh"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
)

// agree gives the key-encryption key of X9.63: both sides compute the same (docs/format.md, Recipients).
func agree(private *ecdh.PrivateKey, public *ecdh.PublicKey, ukm []byte) ([]byte, error) {
	z, err := private.ECDH(public)
	if err != nil {
		return nil, err
	}
	info := tlv(0x30, algAesWrap, suppPub)
	if ukm != nil {
		info = tlv(0x30, algAesWrap, tlv(0xa0, tlv(0x04, ukm)), suppPub)
	}
	kek := sha256.Sum256(bytes.Join([][]byte{z, {0, 0, 0, 1}, info}, nil))
	return kek[:], nil
}

// namesOriginator makes the last half of the ukm of a sender that agrees.
func namesOriginator(random, point []byte) []byte {
	sum := sha256.Sum256(bytes.Join([][]byte{[]byte("Signet originator"), random, point}, nil))
	return sum[:16]
}

var wrapStart = bytes.Repeat([]byte{0xa6}, 8)

// keyWrap wraps (RFC 3394) if in is a key of 32 bytes, and unwraps if it is a wrapped key of 40; nil if that fails.
func keyWrap(kek, in []byte) []byte {
	block, err := aes.NewCipher(kek)
	if err != nil {
		return nil
	}
	wrap := len(in) == 32
	b := bytes.Clone(in)
	if wrap {
		b = append(bytes.Clone(wrapStart), in...)
	}
	work := make([]byte, 16)
	for step := range uint64(24) {
		if !wrap {
			step = 23 - step
		}
		part := b[8+8*(step%4) : 16+8*(step%4)]
		count := binary.BigEndian.AppendUint64(nil, step+1)
		copy(work, b[:8])
		copy(work[8:], part)
		if wrap {
			block.Encrypt(work, work)
			subtle.XORBytes(work, work[:8], count)
		} else {
			subtle.XORBytes(work, work[:8], count)
			block.Decrypt(work, work)
		}
		copy(b, work[:8])
		copy(part, work[8:])
	}
	if wrap {
		return b
	}
	if subtle.ConstantTimeCompare(b[:8], wrapStart) == 0 {
		return nil
	}
	return b[8:]
}
