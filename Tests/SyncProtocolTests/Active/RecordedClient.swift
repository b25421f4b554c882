import BLIPProtocol
import DocumentValues
import NIOCore
import TranscriptSupport

@testable import SyncProtocol

/// The arguments with which a recorded client was started.
struct RecordedClientArguments {
    var collections: [String] = ["_default._default"]
    var type = "both"
    var isContinuous = false
    var channels: [String]?
    var documentIDs: [String]?
    var purges = true
    var resets = false
    /// It saves documents with blobs.
    var hasBlobs = false
    /// It did not report documents.
    var isQuiet = false
    /// `scope.collection/id` → JSON
    var edits: [String: String] = [:]

    init(_ arguments: [String]) {
        for (flag, value) in zip(arguments, arguments.dropFirst() + [""]) {
            switch flag {
            case "--collections": collections = value.split(separator: ",").map(String.init)
            case "--type": type = value
            case "--continuous": isContinuous = true
            case "--channels": channels = value.split(separator: ",").map(String.init)
            case "--docids": documentIDs = value.split(separator: ",").map(String.init)
            case "--no-autopurge": purges = false
            case "--reset": resets = true
            case "--quiet": isQuiet = true
            case "--put", "--putblob":
                guard let equals = value.firstIndex(of: "=") else { break }
                let json = value[value.index(after: equals)...].prefix { flag != "--putblob" || $0 != "|" }
                edits[String(value[..<equals])] = String(json)
                if flag == "--putblob" { hasBlobs = true }
            default: break
            }
        }
        if collections == ["default"] { collections = ["_default._default"] }
    }

    func index(ofDocument id: String) -> Int? {
        collections.firstIndex { edits["\($0)/\(id)"] != nil }
    }

    func configuration(_ checkpoints: (String) -> String) throws -> ActiveConfiguration {
        var configuration = ActiveConfiguration(
            collections: try collections.map { name in
                var part = ActiveConfiguration.Collection(
                    name: try CollectionName(parsing: name), checkpointID: checkpoints(name))
                part.channels = channels
                part.documentIDs = documentIDs
                return part
            }, pushes: type != "pull", pulls: type != "push", mark: "recorded")
        configuration.isContinuous = isContinuous
        configuration.retriesRefusals = false
        return configuration
    }
}

/// What a recorded client reported of a document: `DOC t=… pull field.sites site1 flags=deleted error=6/409 …`.
struct RecordedDocumentLine: Hashable {
    var isPush: Bool
    var collection: String
    var documentID: String
    var isDeleted: Bool
    var isAccessLost: Bool
    var status: Int?

    init?(_ line: String) {
        let parts = line.split(separator: " ").map(String.init)
        guard parts.count >= 6, parts[0] == "DOC" else { return nil }
        isPush = parts[2] == "push"
        collection = parts[3]
        documentID = parts[4]
        isDeleted = parts[5].contains("deleted")
        isAccessLost = parts[5].contains("accessRemoved")
        status = parts.first { $0.hasPrefix("error=") }.flatMap { Int($0.split(separator: "/").last ?? "") }
    }

    init(_ event: DocumentEvent, _ collections: [String]) {
        isPush = event.isPush
        collection = collections[event.collection]
        documentID = event.documentID
        isDeleted = event.isDeleted
        isAccessLost = event.isAccessLost
        status = event.failure?.code
    }
}
