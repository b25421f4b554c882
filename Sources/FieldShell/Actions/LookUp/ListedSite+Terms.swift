import DocumentValues
import FieldRecords

extension ListedSite {
    /// Whether the name, the address or the id has all the terms.
    func matches(_ terms: [Substring]) -> Bool { matches(terms, id: id) }

    /// - Parameter id: empty where ids do not count.
    func matches(_ terms: [Substring], id: String) -> Bool {
        let text = "\(name) \(address) \(id)".searchable
        return terms.allSatisfy { text.containsBytes(of: $0) }
    }
}
