/// Changes to a text: `20=3-3+lea|43=` copies 20 bytes, skips 3, inserts 3, and copies 43.
enum TextPatch {
    /// Shorter texts are sent whole.
    static let shortestText = 60
    /// Bytes that a patch must save.
    static let leastGain = 6

    /// `nil` if a patch would not gain enough. All text between the common beginning and the common end counts as
    /// changed: that takes linear time for any texts, and finds the changes of a user who types into a note.
    static func make(from old: String, to new: String) -> String? {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        guard new.count >= shortestText else { return nil }
        let prefix = commonPrefix(of: old, and: new)
        let suffix = commonSuffix(of: old[prefix...], and: new[prefix...])
        let skipped = old.count - prefix - suffix
        let inserted = new[prefix..<(new.count - suffix)]
        var patch: [UInt8] = []
        if prefix > 0 { patch += "\(prefix)=".utf8 }
        if skipped > 0 { patch += "\(skipped)-".utf8 }
        if !inserted.isEmpty { patch += Array("\(inserted.count)+".utf8) + inserted + [UInt8(ascii: "|")] }
        if suffix > 0 { patch += "\(suffix)=".utf8 }
        return patch.count < new.count - leastGain ? String(decoding: patch, as: UTF8.self) : nil
    }

    private static func commonPrefix(of old: [UInt8], and new: [UInt8]) -> Int {
        var count = 0
        while count < min(old.count, new.count), old[count] == new[count] { count += 1 }
        // A cut must not be in the middle of a character.
        while count > 0, isContinuation(old, at: count) || isContinuation(new, at: count) { count -= 1 }
        return count
    }

    private static func commonSuffix(of old: ArraySlice<UInt8>, and new: ArraySlice<UInt8>) -> Int {
        var count = 0
        while count < min(old.count, new.count), old[old.endIndex - 1 - count] == new[new.endIndex - 1 - count] {
            count += 1
        }
        while count > 0, old[old.endIndex - count] & 0xC0 == 0x80 { count -= 1 }
        return count
    }

    private static func isContinuation(_ bytes: [UInt8], at index: Int) -> Bool {
        index < bytes.count && bytes[index] & 0xC0 == 0x80
    }

    static func apply(_ patch: String, to old: String) throws(JSONDelta.Mismatch) -> String {
        var rest = Array(patch.utf8)[...]
        var source = Array(old.utf8)[...]
        var result: [UInt8] = []
        while !rest.isEmpty {
            let count = try number(&rest)
            switch rest.popFirst() {
            case UInt8(ascii: "="):
                guard count <= source.count else { throw mismatch }
                result += source.prefix(count)
                source = source.dropFirst(count)
            case UInt8(ascii: "-"):
                guard count <= source.count else { throw mismatch }
                source = source.dropFirst(count)
            case UInt8(ascii: "+"):
                guard count < rest.count, rest[rest.startIndex + count] == UInt8(ascii: "|") else { throw mismatch }
                result += rest.prefix(count)
                rest = rest.dropFirst(count + 1)
            default: throw mismatch
            }
        }
        guard source.isEmpty, let text = String(validating: result, as: UTF8.self) else { throw mismatch }
        return text
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) throws(JSONDelta.Mismatch) -> Int {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else { throw mismatch }
        rest = rest.dropFirst(digits.count)
        return number
    }

    private static let mismatch = JSONDelta.Mismatch(reason: "The patch does not fit the text")
}
