import AccessControl
import DocumentValues
import TranscriptSupport

@testable import GatewayCore

extension FuzzTarget {
    /// What the gateway keeps as text, and the JSON by which it is set up. The first byte says which.
    static let storedText = FuzzTarget(
        name: "stored-text",
        seeds: {
            let texts = [
                "01-a 2-b 3-c! 3-d/1!", #"1[["north",5],["south",2,4,true]]"#,
                #"2{"channels":{"ann":["north"]},"roles":{"ann":["lead"]}}"#,
                #"3{"scopes":{"field":{"collections":{"sites":{"sync":"function(doc){}"}}}},"revs_limit":20}"#,
                #"4{"name":"ann","password":"letmein","admin_channels":["north"]}"#, "52026-03-04T10:15:00Z", "5123",
                #"6{"_rev":"1-a","_exp":"2026-03-04T10:15:00.5Z","_attachments":{},"a":1}"#,
                #"6{"_revisions":{"start":3,"ids":["c","b","a"]},"_deleted":true}"#,
            ]
            let bodies = try Recordings.exchanges().compactMap { $0.bodyText ?? $0.body?.description }
            return (texts + bodies.prefix(60).flatMap { ["3" + $0, "4" + $0, "6" + $0] }).map { Array($0.utf8) }
        }
    ) { bytes in
        let content = Array(bytes.dropFirst())
        switch bytes.first {
        case UInt8(ascii: "0"): try checkTree(content)
        case UInt8(ascii: "1"):
            let channels = try DocumentChannels(text: text(content))
            let again = try? DocumentChannels(text: channels.text)
            check(again?.text == channels.text, "channels do not come back")
        case UInt8(ascii: "2"):
            let grants = try DocumentGrants(text: text(content))
            check((try? DocumentGrants(text: grants.text)) == grants, "grants do not come back")
        case UInt8(ascii: "3"): _ = try GatewayDatabaseConfiguration(try GatewayDatabaseConfiguration.parse(content))
        case UInt8(ascii: "4"): _ = try PrincipalRequest(json: content)
        case UInt8(ascii: "5"):
            _ = try? Expiry.time(.string(text(content)), now: 1_800_000_000)
            _ = try Expiry.time(JSONValue(parsing: content), now: 1_800_000_000)
        default: try checkDocument(content)
        }
    }

    private static func checkTree(_ bytes: [UInt8]) throws {
        // As a client names its revisions: they become a tree, which becomes text and comes back.
        var pushed = RevisionTree()
        for part in text(bytes).split(separator: " ", maxSplits: 20) {
            guard let history = RevisionHistory(parsing: part), let first = history.parent else { continue }
            pushed.insert(
                first, history: RevisionHistory(Array(history.ancestors.dropFirst())), isDeleted: part.count > 9,
                limit: 5)
        }
        check((try? RevisionTree(stored: pushed.text)) == pushed, "a tree does not come back: \(pushed.text)")
        let tree = try RevisionTree(stored: text(bytes))
        check((try? RevisionTree(stored: tree.text)) == tree, "a tree does not come back: \(tree.text)")
        for node in tree.nodes { _ = tree.history(of: node.revision) }
        _ = (tree.leaves, tree.winner, tree.possibleAncestors(of: ["9-x"], asked: []))
    }

    private static func checkDocument(_ bytes: [UInt8]) throws {
        for edit in [DocumentWrite.Edit.new(replacing: nil), .existingInBody] {
            guard
                let document = try? IncomingDocument(
                    DocumentWrite(id: "a", body: bytes, edit: edit), now: 1_800_000_000)
            else { continue }
            check((try? JSONObject(parsing: document.body)) != nil, "a body is no object: \(text(document.body))")
            guard case .existing(let revision, let history) = document.edit else { continue }
            var tree = RevisionTree()
            tree.insert(revision, history: history, isDeleted: document.isDeleted, limit: 50)
            check((try? RevisionTree(stored: tree.text)) == tree, "a tree does not come back: \(tree.text)")
        }
    }
}
