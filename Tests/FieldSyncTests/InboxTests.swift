import Testing

@testable import FieldSync

/// What is put into it comes to its reader, whatever becomes of the reader's task.
@Suite struct InboxTests {
    @Test func whatWasPutFirstComesFirst() async {
        let inbox = Inbox<Int>()
        (1...3).forEach(inbox.put)
        var read: [Int] = []
        while read.count < 3 { read.append(await inbox.next()) }
        #expect(read == [1, 2, 3])
    }

    @Test func aCancelledReaderStillReads() async {
        let inbox = Inbox<Int>()
        await withTaskGroup(of: Int.self) { group in
            group.addTask {
                let first = await inbox.next()
                return await inbox.next() - first
            }
            group.cancelAll()
            inbox.put(1)
            inbox.put(3)
            #expect(await group.next() == 2)
        }
    }
}
