import Foundation

/// Sequences as recorded and as ours: a Sync Gateway allocates them in batches and leaves gaps, we do not; what counts
/// is that the same sequence always means the same change, in the same order.
struct SequenceMap {
    private var ours: [UInt64: UInt64] = [0: 0]

    /// Whether the two mean the same so far; an unknown one is learnt.
    mutating func matches(_ recorded: String, _ answer: String) -> Bool {
        let (left, right) = (recorded.split(separator: ":"), answer.split(separator: ":"))
        guard left.count == right.count else { return false }
        for (old, new) in zip(left, right) {
            guard let old = UInt64(old), let new = UInt64(new) else { return old == new }
            if let known = ours[old] {
                guard known == new else { return false }
                continue
            }
            guard keepsOrder(old, new) else { return false }
            ours[old] = new
        }
        return true
    }

    private func keepsOrder(_ old: UInt64, _ new: UInt64) -> Bool {
        ours.allSatisfy { ($0.key < old) == ($0.value < new) }
    }

    /// A request's `since` in our numbers; one that no answer showed stays between its neighbours.
    func translated(_ text: String) -> String {
        text.split(separator: ":", omittingEmptySubsequences: false).map { part in
            guard let number = UInt64(part) else { return String(part) }
            let before = ours.keys.filter { $0 <= number }.max() ?? 0
            let guess = (ours[before] ?? 0) + number - before
            guard let after = ours.keys.filter({ $0 > number }).min(), let bound = ours[after] else {
                return String(guess)
            }
            return String(min(guess, max(bound, 1) - 1))
        }.joined(separator: ":")
    }
}
