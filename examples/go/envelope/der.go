// Package envelope seals and opens messages in the format of docs/format.md, without any code of Signet.
package envelope

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// The parts of an envelope that are the same in each one, in DER.
var (
	oidData       = fixed("06092a864886f70d010701")
	oidSignedData = fixed("06092a864886f70d010702")
	oidAuthData   = fixed("060b2a864886f70d0109100117")                     // AuthEnvelopedData
	oidHashList   = fixed("061569828ad5c2bcdee59aae9fade3c3e2fbeca6f46301") // of a shared signature
	oidEntity     = fixed("061569828ad5c2bcdee59aae9fade3c3e2fbeca6f46302")
	oidAesGcm     = fixed("060960864801650304012e")

	attrContentType   = fixed("06092a864886f70d010903")
	attrMessageDigest = fixed("06092a864886f70d010904")
	attrSigningTime   = fixed("06092a864886f70d010905")
	attrSigningCert   = fixed("060b2a864886f70d010910022f")

	algSha512 = fixed("300b0609608648016503040203")
	algEcdsa  = fixed("300a06082a8648ce3d040304")       // ecdsa-with-SHA512
	algRsa    = fixed("300d06092a864886f70d01010d0500") // sha512WithRSAEncryption
	algPss    = fixed("303d06092a864886f70d01010a3030a00d300b0609608648016503040203a11a301806092a864886f70d010108" +
		"300b0609608648016503040203a203020140")
	algOaep = fixed("303806092a864886f70d010107302ba00d300b0609608648016503040201a11a301806092a864886f70d010108" +
		"300b0609608648016503040201")
	algAgree   = fixed("301506062b8104010b01300b060960864801650304012d") // X9.63 with SHA-256, AES-256 key wrap
	algEcKey   = fixed("300906072a8648ce3d0201")
	algAesWrap = fixed("300b060960864801650304012d")
	suppPub    = fixed("a206040400000100") // of ECC-CMS-SharedInfo: 256 bits

	version0, version2, version3 = fixed("020100"), fixed("020102"), fixed("020103")
	tagLength                    = fixed("020110")
)

// Refusal is the error of each message that is not opened. Kind names the rule.
type Refusal struct{ Kind, Text string }

func (r *Refusal) Error() string { return r.Kind + ": " + r.Text }

func refuse(kind, format string, values ...any) error {
	return &Refusal{kind, fmt.Sprintf(format, values...)}
}

func fixed(digits string) []byte {
	der, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return der
}

// tlv writes one element: tag, length, the parts.
func tlv(tag byte, parts ...[]byte) []byte {
	var out cryptobyte.Builder
	out.AddASN1(asn1.Tag(tag), func(content *cryptobyte.Builder) { content.AddBytes(bytes.Join(parts, nil)) })
	return out.BytesOrPanic()
}

// set writes a SET OF in the order of DER.
func set(tag byte, elements ...[]byte) []byte {
	return tlv(tag, slices.SortedFunc(slices.Values(elements), bytes.Compare)...)
}

// cursor reads DER strictly. After the first error it reads nothing more; see done.
type cursor struct {
	rest   cryptobyte.String
	failed *bool
}

func read(der []byte) cursor { return cursor{der, new(bool)} }

// in reads one element and returns its content.
func (c *cursor) in(tag byte) cursor {
	var content cryptobyte.String
	if *c.failed || !c.rest.ReadASN1(&content, asn1.Tag(tag)) {
		*c.failed = true
	}
	return cursor{content, c.failed}
}

// element reads one element of any tag with its header.
func (c *cursor) element() []byte {
	var whole cryptobyte.String
	var tag asn1.Tag
	if *c.failed || !c.rest.ReadAnyASN1Element(&whole, &tag) {
		*c.failed = true
	}
	return whole
}

// must reads bytes that have one form only.
func (c *cursor) must(der []byte) {
	if *c.failed || !bytes.HasPrefix(c.rest, der) {
		*c.failed = true
		return
	}
	c.rest = c.rest[len(der):]
}

// has tells whether another element comes, of this tag unless it is 0.
func (c *cursor) has(tag byte) bool {
	return !*c.failed && len(c.rest) > 0 && (tag == 0 || c.rest[0] == tag)
}

// limit fails if the content is longer than max bytes.
func (c cursor) limit(max int) []byte {
	if len(c.rest) > max {
		*c.failed = true
		return nil
	}
	return c.rest
}

// done fails if one of these elements has bytes that nothing read, or if anything failed before.
func done(where string, all ...cursor) error {
	for _, c := range all {
		if *c.failed || len(c.rest) > 0 {
			return refuse("malformed", "%s is not of the form that this program reads", where)
		}
	}
	return nil
}
