import FieldRecords

/// The members of an object in the notes of a folder that has a text with advice beside them.
protocol NoteMembers: Codable {
    /// The name of the text's member.
    static var textName: String { get }
}

/// An object in the notes of a folder, with its text: the text is a member that earlier versions have written and read, too,
/// and its marks are another member, `advice`, which is left out where there are none.
struct AdvisedMembers<Others: NoteMembers>: Codable {
    let others: Others
    let text: AdvisedText?

    init(_ others: Others, text: AdvisedText?) {
        self.others = others
        self.text = text
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }

        static var text: Key { Key(stringValue: Others.textName) }
        static var advice: Key { Key(stringValue: "advice") }
    }

    init(from decoder: any Decoder) throws {
        others = try Others(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        text = try values.decodeIfPresent(String.self, forKey: .text).map { text in
            let marks = try values.decodeIfPresent([ReadableMark].self, forKey: .advice)?.compactMap(\.mark)
            return AdvisedText(text: text, marks: marks ?? [])
        }
    }

    func encode(to encoder: any Encoder) throws {
        try others.encode(to: encoder)
        guard let text else { return }
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(text.text, forKey: .text)
        if !text.marks.isEmpty { try values.encode(text.marks, forKey: .advice) }
    }

    /// For an object that always has a text.
    ///
    /// - Throws: `DecodingError` if the object that was read has none.
    func neededText(from decoder: any Decoder) throws -> AdvisedText {
        guard let text else {
            throw DecodingError.keyNotFound(
                Key.text, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "It has no text."))
        }
        return text
    }
}

/// A later version may advise more than this one can: then the text alone is read, which is whole without the advice. An error
/// here would hide all notes of the folder.
private struct ReadableMark: Decodable {
    let mark: AdvisedText.Mark?

    init(from decoder: any Decoder) { mark = try? AdvisedText.Mark(from: decoder) }
}
