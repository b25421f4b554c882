import DocumentValues

@testable import GatewayCore
@testable import GatewayServer

extension FuzzTarget {
    /// What an operator's commands read: lists that lie beside a database, answers of the admin port, names.
    static let operatorLists = FuzzTarget(
        name: "operator",
        seeds: {
            let texts = [
                #"[{"at":"2026-11-22T14:00:00Z","user":"ann","collection":"a.b","document":"x","status":403,"reason":"no"}]"#,
                #"[{"at":"2026-11-22T14:00:00Z","user":"ann","agent":"CouchbaseLite/3.2"}]"#,
                #"[{"name":"ann","admin_roles":["district.harbour","inspector","x"],"disabled":true}]"#,
                #"[{"name":"b","collection_access":{"field":{"sites":{"admin_channels":["*","district.mill"]}}}}]"#,
                "superviser", "district.harbour", "harbour/é",
            ]
            return texts.map { Array($0.utf8) }
        }
    ) { bytes in
        let name = text(bytes)
        if let district = FieldDistrict(key: name) {
            check(district.key.isExactly(name), "a district that is another one")
        }
        _ = Suggestion.nearest(to: name, among: FieldSchema.Role.allCases.map(\.rawValue))
        check(AdminPath.escaped(name).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }, "a path with a hole")
        var history = RefusalHistory(limit: 3)
        for object in KeptFile.objects(in: bytes, atMost: 10) ?? [] {
            if let refused = RefusedDocument(object, time: 0) {
                history.add(refused)
                check(RefusedDocument(refused.json, time: 0) == refused, "a refusal that changes")
            }
            _ = LastSignIn(object)
            let member = FieldMember(object)
            check(FieldMember(member.principal).districts == member.districts, "districts that change")
        }
        check(history.entries.count <= 3, "more refusals than are kept")
    }
}
