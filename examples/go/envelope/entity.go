package envelope

import (
	"bytes"
	"compress/zlib"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxHeader   = 16_384
	maxLines    = 128
	maxSegment  = 1_048_576
	maxInflated = 67_108_864

	// Encrypted content commits to its key by this beginning (docs/format.md, Key commitment).
	entityStart = "Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\n"
)

var (
	messageID = regexp.MustCompile(`^<[0-9a-f]{32}>$`)
	segmentNo = regexp.MustCompile(`^([1-9][0-9]{0,8})( last)?$`)
	property  = regexp.MustCompile(`^signet-property-[a-z0-9-]+$`)
	required  = []string{"signet-version", "message-id", "signet-address", "signet-body"}
	encoded   = []string{"content-type", "signet-address", "signet-sender", "signet-policy"}
	known     = append([]string{"signet-segment", "signet-encoding"}, append(required, encoded...)...)
)

// encodeText writes a text for a line of the header: each text has one encoding.
func encodeText(text string) string {
	var out strings.Builder
	for i, b := range []byte(text) {
		if b < 0x20 || b > 0x7e || b == '%' || b == ' ' && (i == 0 || i == len(text)-1) {
			fmt.Fprintf(&out, "%%%02X", b)
		} else {
			out.WriteByte(b)
		}
	}
	return out.String()
}

func decodeText(value string) (string, error) {
	var out []byte
	for i := 0; i < len(value); i++ {
		if value[i] != '%' {
			out = append(out, value[i])
			continue
		}
		if i+3 > len(value) {
			return "", refuse("malformed", "header: %q ends within an encoded byte", value)
		}
		b, err := hex.DecodeString(value[i+1 : i+3])
		if err != nil {
			return "", refuse("malformed", "header: %q has a %% without two digits", value)
		}
		out = append(out, b[0])
		i += 2
	}
	if !utf8.Valid(out) || encodeText(string(out)) != value {
		return "", refuse("malformed", "header: %q is not encoded as a writer does", value)
	}
	return string(out), nil
}

// header writes the lines and the blank one; segment is "" unless the message is large.
func header(id, address, body, contentType, segment string) []byte {
	text := entityStart + "Content-Type: " + encodeText(contentType) + "\r\nMessage-ID: " + id +
		"\r\nSignet-Address: " + encodeText(address) + "\r\nSignet-Body: " + body + "\r\n"
	if segment != "" {
		text += "Signet-Segment: " + segment + "\r\n"
	}
	return []byte(text + "\r\n")
}

func newMessageID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return "<" + hex.EncodeToString(id) + ">"
}

// parseEntity returns the lines, by name in lower case and with texts decoded, and the payload.
func parseEntity(entity []byte) (map[string]string, []byte, error) {
	end := bytes.Index(entity[:min(len(entity), maxHeader)], []byte("\r\n\r\n"))
	if end < 0 {
		return nil, nil, refuse("malformed", "header: no blank line within %d bytes", maxHeader)
	}
	lines := strings.Split(string(entity[:end]), "\r\n")
	if len(lines) > maxLines {
		return nil, nil, refuse("malformed", "header: more than %d lines", maxLines)
	}
	values := map[string]string{}
	for _, line := range lines {
		name, value, found := strings.Cut(line, ": ")
		if !found || name == "" || strings.ContainsAny(name, " :") {
			return nil, nil, refuse("malformed", "header: %q is no line", line)
		}
		if strings.IndexFunc(line, func(r rune) bool { return r < 0x20 || r > 0x7e }) >= 0 {
			return nil, nil, refuse("malformed", "header: %q has a byte that is not printable ASCII", line)
		}
		name = strings.ToLower(name)
		if _, twice := values[name]; twice {
			return nil, nil, refuse("malformed", "header: %q occurs twice", name)
		}
		values[name] = value
	}
	return values, entity[end+4:], judge(values)
}

// judge checks the lines and decodes their texts.
func judge(values map[string]string) error {
	for _, name := range required {
		if _, found := values[name]; !found {
			return refuse("malformed", "header: %q is missing", name)
		}
	}
	for name := range values {
		if strings.HasPrefix(name, "signet-") && !slices.Contains(known, name) && !property.MatchString(name) {
			return refuse("malformed", "header: unknown line %q", name)
		}
		if slices.Contains(encoded, name) || property.MatchString(name) {
			text, err := decodeText(values[name])
			if err != nil {
				return err
			}
			values[name] = text
		}
	}
	encoding, isEncoded := values["content-transfer-encoding"]
	segment, isSegment := values["signet-segment"]
	compression, isCompressed := values["signet-encoding"]
	switch {
	case values["signet-version"] != "1":
		return refuse("malformed", "header: version %q", values["signet-version"])
	case isEncoded && encoding != "binary":
		return refuse("malformed", "header: transfer encoding %q", encoding)
	case !messageID.MatchString(values["message-id"]):
		return refuse("malformed", "header: message id %q", values["message-id"])
	case isSegment && !segmentNo.MatchString(segment):
		return refuse("malformed", "header: segment %q", segment)
	case isCompressed && (compression != "deflate" || isSegment):
		return refuse("malformed", "header: encoding %q", compression)
	}
	if _, hidden := values["signet-property-hidden"]; hidden {
		return refuse("malformed", "this program does not read hidden properties")
	}
	return nil
}

// inflate decompresses zlib data within the limit of the format.
func inflate(data []byte) ([]byte, error) {
	source := bytes.NewReader(data)
	stream, err := zlib.NewReader(source)
	if err != nil {
		return nil, refuse("malformed", "payload: %v", err)
	}
	payload, err := io.ReadAll(io.LimitReader(stream, maxInflated+1))
	if err != nil || len(payload) > maxInflated || source.Len() > 0 {
		return nil, refuse("malformed", "payload: bad or too long when decompressed")
	}
	return payload, nil
}
