import Crypto
import Dispatch
import SodiumCrypto
import Synchronization

/// Checks passwords: one at a time, since each check costs 50 ms and 64 MiB, and not again while it is remembered.
///
/// What is remembered is a keyed hash over name, password and stored hash, under a key that lives as long as this
/// process: the memory does not hold passwords, and a new password makes the old entry useless.
package final class Credentials: Sendable {
    private let queue = DispatchQueue(label: "gateway.passwords", qos: .utility)
    private let key = SymmetricKey(size: .bits256)
    private let verified = Mutex<Set<[UInt8]>>([])
    private let waiting = Mutex(0)
    private let strength: PasswordStrength
    /// Checked for names that do not exist, so that the time tells nothing about them.
    private let decoy: Mutex<String?> = Mutex(nil)

    package init(strength: PasswordStrength) { self.strength = strength }

    func hash(_ password: String) async throws -> String {
        let strength = strength
        return try await onQueue { try PasswordHash.make(password, strength: strength) }
    }

    /// - Parameter hash: `nil` for an account that does not exist or has no password; then it is false.
    package func verify(name: String, password: String, hash: String?) async throws -> Bool {
        guard let hash else {
            let decoy = try await decoyHash()
            _ = try await onQueue { PasswordHash.verify(password, against: decoy) }
            return false
        }
        let entry = fingerprint(name, password, hash)
        if verified.withLock({ $0.contains(entry) }) { return true }
        guard try await onQueue({ PasswordHash.verify(password, against: hash) }) else { return false }
        verified.withLock { verified in
            if verified.count >= GatewayLimits.credentialCache { verified.removeAll() }
            verified.insert(entry)
        }
        return true
    }

    private func fingerprint(_ parts: String...) -> [UInt8] {
        var hash = HMAC<SHA256>(key: key)
        for part in parts {
            let bytes = Array(part.utf8)
            hash.update(data: Array("\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
        return Array(hash.finalize())
    }

    private func decoyHash() async throws -> String {
        if let hash = decoy.withLock({ $0 }) { return hash }
        let made = try await hash("decoy")
        decoy.withLock { $0 = made }
        return made
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        // Whoever floods the gateway with wrong passwords must not make the others wait for ever.
        let place = waiting.withLock { waiting in
            waiting += 1
            return waiting
        }
        defer { waiting.withLock { $0 -= 1 } }
        guard place <= GatewayLimits.waitingLogins else { throw GatewayError(429, "Too many logins at once") }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
