import Foundation
import Testing

/// `fieldbook db` on a worker's folder: records merge as they do with the worker's own `sync`.
@Suite(.serialized) struct MergingCommandTests {
    @Test(.timeLimit(.minutes(3))) func recordsMergeFieldByField() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase()
        for user in ["mara", "otto"] { try gateway.setFieldUser(user, ["north"]) }
        let laptops = [
            (try FieldLaptop(usesPassphrase: true), "mara"), (try FieldLaptop(usesPassphrase: true), "otto"),
        ]
        func db(_ laptop: FieldLaptop, _ arguments: String..., input: String = "") throws -> String {
            let passphrase = try laptop.file("key", "correct horse battery\n")
            let command = ["db", arguments[0], laptop.folder] + arguments.dropFirst()
            let running = try Program.fieldbook.start(
                command, input: input, environment: ["FIELDBOOK_PASSPHRASE_FILE": passphrase])
            let output = running.finish(limit: 60)
            guard output.status == 0 else { throw Gateway.Failure(text: "\(arguments): \(output.out) \(output.err)") }
            return output.out
        }
        func sync(_ index: Int) throws {
            let (laptop, user) = laptops[index]
            let password = try laptop.file("password", "secret\n")
            _ = try db(
                laptop, "sync", "--url", gateway.url, "--collections", "field.sites", "--user", user,
                "--password-file", password)
        }
        func put(_ index: Int, _ name: String, _ phone: String) throws {
            let body = #"{"name":"\#(name)","phone":"\#(phone)","district":"north","channels":["north"]}"#
            _ = try db(laptops[index].0, "put", "field.sites", "site-1", input: body)
        }
        try put(0, "Mill", "1")
        for index in [0, 1] { try sync(index) }
        try put(0, "Mill and store", "1")
        try put(1, "Mill", "2")
        for index in [0, 1, 0] { try sync(index) }
        for (laptop, _) in laptops {
            let site = try db(laptop, "get", "field.sites", "site-1")
            #expect(site.contains("Mill and store") && site.contains(#""phone":"2""#), "\(site)")
        }
    }
}
