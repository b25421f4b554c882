/// Documents like those of an inspector: a part of each differs from all others.
enum SampleDocuments {
    /// The size of synced documents.
    static let bytes = 300
    /// The size of documents for the store, as in the reference's figures.
    static let storedBytes = 470

    static func id(_ index: Int) -> String {
        let digits = String(index)
        return "inspection-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    static func body(_ index: Int, bytes: Int = bytes) -> [UInt8] {
        var noise = Noise(seed: UInt64(index))
        var text = #"{"type":"inspection","channels":["bench"],"site":"site-\#(index % 500)","number":\#(index)"#
        text += #","inspector":"\#(names[index % names.count])","status":"\#(index % 3 == 0 ? "draft" : "submitted")""#
        text += #","temperature":\#(Int(noise.next() % 400)).5,"reference":"\#(noise.hexadecimal)""#
        text += #","note":""#
        while text.utf8.count < bytes - 2 - 12 {
            text += vocabulary[Int(noise.next() % UInt64(vocabulary.count))] + " "
        }
        text += String(repeating: "x", count: max(0, bytes - 2 - text.utf8.count)) + "\"}"
        return Array(text.utf8)
    }

    static func documents(_ range: Range<Int>) -> [(id: String, body: [UInt8])] {
        range.map { (id($0), body($0)) }
    }

    /// The same in the size for the store.
    static func stored(_ range: Range<Int>) -> [(id: String, body: [UInt8])] {
        range.map { (id($0), body($0, bytes: storedBytes)) }
    }

    /// The body of a `_bulk_docs` request.
    static func bulkRequest(_ range: Range<Int>) -> [UInt8] {
        var request = Array(#"{"docs":["#.utf8)
        for index in range {
            if index > range.lowerBound { request.append(UInt8(ascii: ",")) }
            request.append(contentsOf: #"{"_id":"\#(id(index))","#.utf8)
            request.append(contentsOf: body(index).dropFirst())
        }
        request.append(contentsOf: "]}".utf8)
        return request
    }

    private static let names = ["amelie", "bertil", "chiara", "daoud", "edith", "farid", "greta"]
    private static let vocabulary = [
        "valve", "pressure", "north", "cracked", "replaced", "within", "limits", "tank", "see", "photo", "corrosion",
        "again", "none", "bolt", "torque", "checked", "leak", "inlet", "gauge", "noted",
    ]
}
