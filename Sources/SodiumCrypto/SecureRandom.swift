import CSodium

/// Bytes from the system's secure random generator.
public enum SecureRandom {
    public static func bytes(_ count: Int) -> [UInt8] {
        Sodium.ready()
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let base = buffer.baseAddress { randombytes_buf(base, count) }
            initialized = count
        }
    }
}

/// Whether the two are equal, in a time that does not depend on where they differ (it does depend on the lengths).
public func constantTimeEqual(_ left: [UInt8], and right: [UInt8]) -> Bool {
    Sodium.ready()
    guard left.count == right.count else { return false }
    return sodium_memcmp(left, right, left.count) == 0
}
