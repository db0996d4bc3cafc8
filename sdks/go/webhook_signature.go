package supportchat

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"regexp"
	"strings"
	"sync"
)

// A signatureForm is an encoding of a digest. The claimed digest is never decoded, since decoders are too
// lenient: ours is encoded in the same form, and the texts are compared without padding.
type signatureForm struct {
	length   int
	alphabet string
	// fold normalizes letters whose case does not matter.
	fold  func(text string) string
	write func(before, digest []byte) []byte
}

func unchanged(text string) string { return text }

const alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

var (
	hexForm       = signatureForm{64, hexDigits + "ABCDEF", strings.ToLower, hex.AppendEncode}
	base64Form    = signatureForm{43, alphanumerics + "+/", unchanged, base64.RawStdEncoding.AppendEncode}
	base64URLForm = signatureForm{43, alphanumerics + "-_", unchanged, base64.RawURLEncoding.AppendEncode}
)

// A claimedSignature is a well-formed signature header.
type claimedSignature struct {
	digest string
	write  func(before, digest []byte) []byte
}

var anyAlgorithm = regexp.MustCompile(`^[\w-]{1,32}=`)

// parseSignature parses a trimmed, non-empty header.
func parseSignature(value string) (claimedSignature, error) {
	digest, isOurs := strings.CutPrefix(value, signaturePrefix)
	if !isOurs {
		return claimedSignature{}, refused(codeOfUnknownForm(value))
	}
	if len(digest) == base64.StdEncoding.EncodedLen(sha256.Size) {
		digest = strings.TrimSuffix(digest, "=")
	}
	for _, form := range signatureForms {
		if len(digest) == form.length && strings.Trim(digest, form.alphabet) == "" {
			return claimedSignature{form.fold(digest), form.write}, nil
		}
	}
	return claimedSignature{}, refused(WebhookCodeMalformedSignature)
}

func codeOfUnknownForm(value string) string {
	if anyAlgorithm.MatchString(value) {
		return WebhookCodeUnsupportedAlgorithm
	}
	return WebhookCodeMalformedSignature
}

// indexIn returns the index of the last of our digests that is the claimed one, or -1. It takes equally long
// for all digests.
func (c claimedSignature) indexIn(digests [][]byte) int {
	index, theirs := -1, []byte(c.digest)
	for i, digest := range digests {
		index = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(c.write(nil, digest), theirs), i, index)
	}
	return index
}

// A keyring computes HMAC-SHA256 with several secrets. It keeps the HMAC states, since deriving one from a
// secret is half of the work for a short body.
type keyring []*sync.Pool

func newKeyring(secrets []string) keyring {
	keys := make(keyring, len(secrets))
	for i, secret := range secrets {
		keys[i] = &sync.Pool{New: func() any { return hmac.New(sha256.New, []byte(secret)) }}
	}
	return keys
}

// digests returns the digest of a body for each secret, in order.
func (k keyring) digests(body []byte) [][]byte {
	digests := make([][]byte, len(k))
	for i, key := range k {
		mac := key.Get().(hash.Hash)
		mac.Reset()
		mac.Write(body)
		digests[i] = mac.Sum(nil)
		key.Put(mac)
	}
	return digests
}
