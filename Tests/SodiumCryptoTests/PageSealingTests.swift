import SodiumCrypto
import Testing

/// Sealing from buffer to buffer, and the keys of single files.
@Suite struct PageSealingTests {
    private let key = SecretKey()
    private let plain = SecureRandom.bytes(4056)

    private func seal(_ context: [UInt8]) -> (bytes: [UInt8], mark: [UInt8]) {
        var (bytes, mark) = (plain, [UInt8](repeating: 0, count: SecretKey.sealingOverhead))
        bytes.withUnsafeMutableBytes { sealed in
            mark.withUnsafeMutableBytes { mark in
                plain.withUnsafeBytes { plain in
                    context.withUnsafeBytes {
                        key.seal(plain, into: sealed.baseAddress!, mark: mark.baseAddress!, context: $0)
                    }
                }
            }
        }
        return (bytes, mark)
    }

    /// `nil` if it cannot be opened; then the buffer is to be zeros.
    private func open(_ page: (bytes: [UInt8], mark: [UInt8]), _ context: [UInt8], key: SecretKey) -> [UInt8]? {
        var opened = [UInt8](repeating: 1, count: page.bytes.count)
        let isOpen = opened.withUnsafeMutableBytes { target in
            page.bytes.withUnsafeBytes { sealed in
                page.mark.withUnsafeBytes { mark in
                    context.withUnsafeBytes {
                        key.open(sealed, into: target.baseAddress!, mark: mark.baseAddress!, context: $0)
                    }
                }
            }
        }
        #expect(isOpen || opened.allSatisfy { $0 == 0 })
        return isOpen ? opened : nil
    }

    @Test func aPageOpensWithItsKeyAndContextAlone() {
        let sealed = seal([1, 2])
        #expect(sealed.bytes != plain && open(sealed, [1, 2], key: key) == plain)
        #expect(open(sealed, [1, 3], key: key) == nil)
        #expect(open(sealed, [1, 2], key: SecretKey()) == nil)
    }

    @Test func aChangedPageDoesNotOpen() {
        var sealed = seal([])
        sealed.bytes[4000] ^= 1
        #expect(open(sealed, [], key: key) == nil)
        sealed = seal([])
        for index in [0, 23, 24, 39] {
            var changed = sealed
            changed.mark[index] ^= 1
            #expect(open(changed, [], key: key) == nil)
        }
    }

    @Test func aPageIsNeverSealedInTheSameWay() { #expect(seal([]).bytes != seal([]).bytes) }

    @Test func aFilesKeyIsThatOfItsSaltAndPurpose() {
        func bytes(_ key: SecretKey) -> [UInt8] { key.withBytes { Array($0) } }
        let (salt, other) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        let own = bytes(key.subkey(purpose: "sixteen letters.", salt: salt))
        #expect(own == bytes(key.subkey(purpose: "sixteen letters.", salt: salt)) && own != bytes(key))
        #expect(own != bytes(key.subkey(purpose: "sixteen letters.", salt: other)))
        #expect(own != bytes(key.subkey(purpose: "sixteen letterz.", salt: salt)))
    }
}
