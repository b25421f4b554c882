import SodiumCrypto
import Testing

@Suite struct SealingTests {
    let key = SecretKey()

    @Test(arguments: [0, 1, 31, 4096])
    func whatWasSealedOpens(count: Int) throws {
        let plain = SecureRandom.bytes(count)
        let sealed = key.seal(plain, context: [7])
        #expect(sealed.count == count + SecretKey.sealingOverhead)
        #expect(try key.open(sealed, context: [7]) == plain)
    }

    @Test func everyChangeIsNoticed() {
        let sealed = key.seal(Array("hello".utf8), context: [7])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: CryptoError(.authenticationFailed)) { try key.open(changed, context: [7]) }
        }
        #expect(throws: CryptoError(.authenticationFailed)) { try key.open(sealed, context: [8]) }
        #expect(throws: CryptoError(.authenticationFailed)) { try SecretKey().open(sealed, context: [7]) }
        #expect(throws: CryptoError(.truncated)) { try key.open(Array(sealed.prefix(39)), context: [7]) }
    }

    @Test func keysCanBeWrapped() throws {
        let inner = SecretKey()
        let wrapped = key.wrap(inner, context: [])
        let unwrapped = try key.unwrap(wrapped, context: [])
        #expect(try unwrapped.open(inner.seal([1], context: []), context: []) == [1])
    }

    @Test func subkeysDependOnPurposeAndNumber() {
        let hashes = [
            key.subkey(purpose: "purpose1"), key.subkey(purpose: "purpose2"),
            key.subkey(purpose: "purpose1", number: 1),
        ].map { $0.keyedHash(of: [1]) }
        #expect(Set(hashes).count == 3)
        #expect(key.subkey(purpose: "purpose1").keyedHash(of: [1]) == hashes[0])
    }

    @Test func randomBytesAndComparison() throws {
        #expect(SecureRandom.bytes(0).isEmpty && SecureRandom.bytes(32) != SecureRandom.bytes(32))
        #expect(
            constantTimeEqual([1, 2], and: [1, 2]) && !constantTimeEqual([1, 2], and: [1, 3])
                && !constantTimeEqual([1], and: []))
        #expect(throws: CryptoError(.invalidParameter)) { try SecretKey(bytes: [1]) }
    }
}

@Suite struct StreamSealingTests {
    let key = SecretKey()

    private func seal(_ chunks: [[UInt8]]) -> (header: [UInt8], chunks: [[UInt8]]) {
        var sealer = StreamSealer(key: key)
        var sealed: [[UInt8]] = []
        for (index, chunk) in chunks.enumerated() {
            sealed.append(sealer.seal(chunk[...], isLast: index == chunks.count - 1))
        }
        return (sealer.header, sealed)
    }

    @Test func chunksOpenInTheirOrder() throws {
        let plain: [[UInt8]] = [[1, 2, 3], SecureRandom.bytes(70_000), []]
        let sealed = seal(plain)
        var opener = try StreamOpener(key: key, header: sealed.header)
        for (index, chunk) in sealed.chunks.enumerated() {
            #expect(try opener.open(chunk) == plain[index])
            #expect(opener.isFinished == (index == 2))
        }
        #expect(throws: CryptoError(.trailingData)) { try opener.open(sealed.chunks[2]) }
    }

    @Test func leavingOutExchangingOrRepeatingChunksIsNoticed() throws {
        let sealed = seal([[1], [2], [3]])
        for order in [[1], [0, 2], [0, 0], [2]] {
            var opener = try StreamOpener(key: key, header: sealed.header)
            var failure: CryptoError?
            for index in order {
                do throws(CryptoError) { _ = try opener.open(sealed.chunks[index]) } catch { failure = error }
            }
            #expect(failure == CryptoError(.authenticationFailed), "\(order)")
        }
    }

    @Test func anotherKeyOrHeaderOpensNothing() throws {
        let sealed = seal([[1]])
        var opener = try StreamOpener(key: SecretKey(), header: sealed.header)
        #expect(throws: CryptoError(.authenticationFailed)) { try opener.open(sealed.chunks[0]) }
        #expect(throws: CryptoError(.truncated)) { _ = try StreamOpener(key: key, header: [1]) }
    }
}
