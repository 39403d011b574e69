// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @dev submitEvidence, called
///   by a party in any phase of a dispute, any number of times   is logged and changes nothing
contract SubmitEvidenceTest is CourtTest {
    function test_bothPartiesAreHeardInEveryPhaseAsOftenAsTheyLike() public {
        Phase[4] memory phases = openPhases();
        for (uint256 index = 0; index < phases.length; ++index) {
            uint256 taskId = disputeIn(phases[index]);
            for (uint256 turn = 0; turn < 3; ++turn) {
                assertSubmits(poster, taskId, "data:,a");
                assertSubmits(worker, taskId, "ipfs://b");
            }
            skip(40 days);
            assertSubmits(worker, taskId, "");
        }
    }

    function testFuzz_anyTextIsLoggedAsItIs(bytes32 evidenceHash, string calldata uri, bool byPoster) public {
        uint256 taskId = unbonded();
        address party = byPoster ? poster : worker;
        vm.expectEmit(address(court));
        emit IDisputeCourt.EvidenceSubmitted(taskId, party, evidenceHash, uri);
        courtAs(party).submitEvidence(taskId, evidenceHash, uri);
    }

    function assertSubmits(address party, uint256 taskId, string memory uri) private {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        TaskView memory task = taskOf(taskId);
        vm.expectEmit(address(court));
        emit IDisputeCourt.EvidenceSubmitted(taskId, party, EVIDENCE, uri);
        vm.recordLogs();
        courtAs(party).submitEvidence(taskId, EVIDENCE, uri);
        assertLogCount(1);
        assertDispute(taskId, dispute);
        assertTask(task);
    }
}
