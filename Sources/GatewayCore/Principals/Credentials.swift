import Crypto
import Dispatch
import SodiumCrypto
import Synchronization

/// Checks passwords: one at a time, since each check costs 50 ms and 64 MiB, and not again while it is remembered.
/// In which order is decided by `PasswordCheckQueue`; new passwords, which only administrators set, do not wait for logins.
///
/// What is remembered is a keyed hash over name, password and stored hash, under a key that lives as long as this
/// process: the memory does not hold passwords, and a new password makes the old entry useless.
package final class Credentials: Sendable {
    private typealias Check = @Sendable () -> Bool

    /// Those who wait, and what is done for them.
    private struct Desk: Sendable {
        var order = PasswordCheckQueue()
        var checks: [Int: Check] = [:]
        var waiting: [Int: CheckedContinuation<PasswordCheckQueue.Verdict, Never>] = [:]
    }

    private let checking = DispatchQueue(label: "gateway.passwords", qos: .utility)
    private let making = DispatchQueue(label: "gateway.new-passwords", qos: .utility)
    private let key = SymmetricKey(size: .bits256)
    private let verified = Mutex<Set<[UInt8]>>([])
    private let desk = Mutex(Desk())
    private let beingMade = Mutex(0)
    private let strength: PasswordStrength
    /// Checked for names that do not exist, so that the time shows nothing about them.
    private let decoy: Mutex<String?> = Mutex(nil)

    package init(strength: PasswordStrength) { self.strength = strength }

    func hash(_ password: String) async throws -> String {
        let number = beingMade.withLock { count in
            count += 1
            return count
        }
        defer { beingMade.withLock { $0 -= 1 } }
        guard number <= GatewayLimits.newPasswords else {
            throw GatewayError(429, reason: "Too many new passwords at once")
        }
        let strength = strength
        return try await withCheckedThrowingContinuation { continuation in
            making.async {
                do {
                    continuation.resume(returning: try PasswordHash.make(password, strength: strength))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// - Parameters:
    ///   - hash: `nil` for an account that does not exist or has no password; then it is false.
    ///   - address: where the asking client is: those from many places wait less for each other.
    package func verify(name: String, password: String, hash: String?, from address: String) async throws -> Bool {
        let entry = hash.map { fingerprint(name, password, $0) }
        if let entry, verified.withLock({ $0.contains(entry) }) { return true }
        let check: Check = { [self] in
            guard let hash else { return checkDecoy(password) }
            return PasswordHash.verify(password, against: hash)
        }
        switch await verdict(from: address, isKnown: hash != nil, check) {
        case .tooMany: throw GatewayError(429, reason: "Too many logins at once")
        case .wrong: return false
        case .right: break
        }
        guard let entry else { return false }
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

    /// Costs as much as a check, also when the decoy has to be made.
    private func checkDecoy(_ password: String) -> Bool {
        if let hash = decoy.withLock({ $0 }) {
            _ = PasswordHash.verify(password, against: hash)
        } else if let hash = try? PasswordHash.make("decoy", strength: strength) {
            // Without memory for one there is none to check either; the next attempt tries again.
            decoy.withLock { $0 = hash }
        }
        return false
    }

    // MARK: - One after the other

    private func verdict(from address: String, isKnown: Bool, _ check: @escaping Check) async
        -> PasswordCheckQueue.Verdict
    {
        await withCheckedContinuation { continuation in
            let answers = desk.withLock { desk in
                let (ticket, answers) = desk.order.enter(from: address, isKnown: isKnown)
                desk.checks[ticket] = check
                desk.waiting[ticket] = continuation
                return Self.leaving(answers, desk: &desk)
            }
            for (waiting, verdict) in answers { waiting.resume(returning: verdict) }
            checkNext()
        }
    }

    private func checkNext() {
        let next = desk.withLock { desk in desk.order.next().map { ($0, desk.checks[$0]) } }
        guard let (ticket, check) = next else { return }
        checking.async { [self] in
            let isRight = check?() ?? false
            let answers = desk.withLock { desk in Self.leaving(desk.order.finish(ticket, isRight: isRight), desk: &desk)
            }
            for (waiting, verdict) in answers { waiting.resume(returning: verdict) }
            checkNext()
        }
    }

    private static func leaving(
        _ answers: [PasswordCheckQueue.Answer], desk: inout Desk
    ) -> [(CheckedContinuation<PasswordCheckQueue.Verdict, Never>, PasswordCheckQueue.Verdict)] {
        answers.compactMap { answer in
            desk.checks[answer.ticket] = nil
            return desk.waiting.removeValue(forKey: answer.ticket).map { ($0, answer.verdict) }
        }
    }
}
