import SodiumCrypto
import Testing

@Suite struct PasswordHashTests {
    @Test func onlyThePasswordItselfVerifies() throws {
        let hash = try PasswordHash.make("correct horse", strength: .testsOnly)
        #expect(hash.hasPrefix("$argon2id$v=19$"))
        #expect(PasswordHash.verify("correct horse", against: hash))
        for wrong in ["", "correct hors", "correct horse ", "Correct horse", "correct horse\0"] {
            #expect(!PasswordHash.verify(wrong, against: hash))
        }
    }

    @Test func hashesOfOnePasswordDiffer() throws {
        let first = try PasswordHash.make("p", strength: .testsOnly)
        #expect(try first != PasswordHash.make("p", strength: .testsOnly))
    }

    @Test(arguments: ["", "x", "$argon2id$v=19$m=8,t=1,p=1$", String(repeating: "$", count: 500)])
    func whatIsNoHashNeverVerifies(text: String) {
        #expect(!PasswordHash.verify("p", against: text))
    }

    @Test func aCheaperHashNeedsRenewal() throws {
        let hash = try PasswordHash.make("p", strength: .testsOnly)
        #expect(PasswordHash.needsRenewal(hash, strength: .interactive))
        #expect(!PasswordHash.needsRenewal(hash, strength: .testsOnly))
    }
}

@Suite struct PassphraseKeyTests {
    @Test func thePassphraseAndTheParametersGiveTheKeyAgain() throws {
        let parameters = PassphraseParameters(strength: .testsOnly)
        let again = try PassphraseParameters(
            salt: parameters.salt, operations: parameters.operations, memory: parameters.memory)
        let sealed = try parameters.key(for: "Ünïcode").seal([1, 2, 3], context: [])
        #expect(try again.key(for: "Ünïcode").open(sealed, context: []) == [1, 2, 3])
        #expect(throws: CryptoError(.authenticationFailed)) { try again.key(for: "other").open(sealed, context: []) }
    }

    @Test func storedParametersOutOfRangeAreRefused() {
        let salt = [UInt8](repeating: 1, count: PassphraseParameters.saltLength)
        for (salt, operations, memory): ([UInt8], UInt64, UInt64) in [
            ([1], 1, 8192), (salt, 0, 8192), (salt, 17, 8192), (salt, 1, 1), (salt, 1, 2 << 30),
        ] {
            #expect(throws: CryptoError(.invalidParameter)) {
                try PassphraseParameters(salt: salt, operations: operations, memory: memory)
            }
        }
    }
}
