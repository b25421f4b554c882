import FieldRecords

/// Texts with advice in the notes of a folder: the text is a member that earlier versions have written and read, too, and its
/// marks are another member, which is left out where there are none.
extension KeyedEncodingContainer {
    mutating func encode(_ text: AdvisedText, forKey key: Key, advice: Key) throws {
        try encode(text.text, forKey: key)
        if !text.marks.isEmpty { try encode(text.marks, forKey: advice) }
    }

    mutating func encodeIfPresent(_ text: AdvisedText?, forKey key: Key, advice: Key) throws {
        if let text { try encode(text, forKey: key, advice: advice) }
    }
}

extension KeyedDecodingContainer {
    func decodeText(forKey key: Key, advice: Key) throws -> AdvisedText {
        let marks = try decodeIfPresent([ReadableMark].self, forKey: advice)?.compactMap(\.mark)
        return AdvisedText(text: try decode(String.self, forKey: key), marks: marks ?? [])
    }

    func decodeTextIfPresent(forKey key: Key, advice: Key) throws -> AdvisedText? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decodeText(forKey: key, advice: advice)
    }
}

/// A later version may advise more than this one can: then the text alone is read, which is whole without the advice. An error
/// here would hide all notes of the folder.
private struct ReadableMark: Decodable {
    let mark: AdvisedText.Mark?

    init(from decoder: any Decoder) { mark = try? AdvisedText.Mark(from: decoder) }
}
